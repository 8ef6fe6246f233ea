// The kernel matrix of the graphs of files, without a daemon: counts features as the daemon does, with the
// same code, and computes rows on all cores. Neither the graphs nor the matrix are kept.

#include <sys/resource.h>

#include <algorithm>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "client/cli/kernel_flags.h"
#include "client/cli/kernel_writer.h"
#include "client/cli/record_run.h"
#include "client/cli/text.h"
#include "index/base/status.h"
#include "index/kernels/graph_features.h"
#include "wire/graph.h"

namespace kindred::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Graphs whose features are counted at a time.
constexpr size_t kBatch = 512;
// Rows that are computed at a time, in bytes; one row at least.
constexpr size_t kRowsBytes = 8 << 20;

class FileKernel {
 public:
  FileKernel(const Session& session, const KernelFlags& flags)
      : flags_(flags),
        traits_(TraitsOf(flags.kernel)),
        run_(session, flags.records),
        parallel_for_(ForEachOnThreads(
            flags.threads > 0 ? flags.threads : static_cast<int>(std::thread::hardware_concurrency()))),
        interrupt_([this] { return run_.interrupted(); }, DeadlineOf(session)),
        features_(flags.kernel, static_cast<Level>(flags.depth.value_or(kDepthDefault))),
        builder_(traits_.combination, HighestLimits().kernel_entries_max) {}

  absl::StatusOr<ExitCode> Run(const Session& session) {
    absl::StatusOr<ExitCode> code = ReadAndWrite(session);
    if (run_.interrupted()) {
      return ExitCode::kInterrupted;
    }
    if (absl::IsDeadlineExceeded(code.status())) {
      // Else it would be taken for the daemon's.
      return MakeStatus(absl::StatusCode::kAborted, "--timeout: the matrix was not complete in {} seconds",
                        *session.options.timeout_seconds);
    }
    return code;
  }

 private:
  absl::StatusOr<ExitCode> ReadAndWrite(const Session& session) {
    KINDRED_RETURN_IF_ERROR(run_.CheckFiles());
    KINDRED_ASSIGN_OR_RETURN(KernelWriter writer, KernelWriter::Open(session, flags_));
    KINDRED_RETURN_IF_ERROR(run_.Run(
        "", [this](const std::string& record, client::Position position) { return Take(record, position); }));
    run_.Show();
    if (run_.stopped()) {
      return run_.code();
    }
    KINDRED_RETURN_IF_ERROR(WriteMatrix(writer));
    KINDRED_RETURN_IF_ERROR(writer.Close());
    std::string line = CostLine(traits_.name, ids_.size(), cost_);
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
      line +=
          fmt::format(", at most {} resident", FormatBytes(static_cast<uint64_t>(usage.ru_maxrss) * 1024));
    }
    if (run_.rejected() > 0) {
      line += fmt::format("; {} of {} records rejected", run_.rejected(), run_.read());
    }
    run_.Say(line);
    return run_.code();
  }

  static Interrupt::Clock::time_point DeadlineOf(const Session& session) {
    if (!session.options.timeout_seconds.has_value()) {
      return Interrupt::Clock::time_point::max();
    }
    return Interrupt::Clock::now() + std::chrono::duration_cast<Interrupt::Clock::duration>(
                                         std::chrono::duration<double>(*session.options.timeout_seconds));
  }

  absl::Status Take(const std::string& bytes, client::Position position) {
    v1::Record record;
    if (!record.ParseFromString(bytes)) {
      run_.Reject(position, "", InvalidArgument("is not a record"));
      return absl::OkStatus();
    }
    auto graph = ToGraph(record.graph(), HighestLimits());
    if (!graph.ok()) {
      run_.Reject(position, record.id(), Annotate(graph.status(), "graph."));
      return absl::OkStatus();
    }
    batch_.push_back(*std::move(graph));
    ids_.push_back(record.id());
    const auto& tags = record.tags();
    const auto tag =
        std::ranges::find_if(tags, [this](const v1::Tag& each) { return each.key() == flags_.class_tag; });
    classes_.push_back(tag == tags.end() ? std::string() : tag->value());
    return batch_.size() < kBatch ? absl::OkStatus() : CountBatch();
  }

  absl::Status CountBatch() {
    const auto start = Clock::now();
    std::vector<const Graph*> graphs;
    for (const Graph& graph : batch_) {
      graphs.push_back(&graph);
    }
    KINDRED_RETURN_IF_ERROR(features_.Add(graphs, parallel_for_, interrupt_, builder_));
    batch_.clear();
    cost_.took += Clock::now() - start;
    return absl::OkStatus();
  }

  absl::Status WriteMatrix(KernelWriter& writer) {
    KINDRED_RETURN_IF_ERROR(CountBatch());
    const auto start = Clock::now();
    const Gram gram = std::move(builder_).Build();
    const size_t size = gram.size();
    if (writer.format() == KernelFormat::kCsv) {
      KINDRED_RETURN_IF_ERROR(writer.Write(CsvHeader(ids_)));
    } else if (writer.format() == KernelFormat::kNpy) {
      KINDRED_RETURN_IF_ERROR(writer.Write(NpyHeader(size)));
    }
    const size_t rows_at_once =
        std::max<size_t>(kRowsBytes / (sizeof(double) * std::max<size_t>(size, 1)), 1);
    // While some rows are computed, those before them are written.
    std::future<absl::Status> writing = std::async(std::launch::deferred, [] { return absl::OkStatus(); });
    for (size_t begin = 0; begin < size; begin += rows_at_once) {
      std::vector<absl::StatusOr<std::string>> rows(std::min(rows_at_once, size - begin));
      parallel_for_(rows.size(), [&](size_t i) { rows[i] = MakeRow(gram, begin + i, writer.format()); });
      KINDRED_RETURN_IF_ERROR(writing.get());
      writer.ShowRows(begin, size);
      writing = std::async(std::launch::async, [&writer, rows = std::move(rows)]() -> absl::Status {
        for (const absl::StatusOr<std::string>& row : rows) {
          KINDRED_RETURN_IF_ERROR(row.status());
          KINDRED_RETURN_IF_ERROR(writer.Write(*row));
        }
        return absl::OkStatus();
      });
    }
    KINDRED_RETURN_IF_ERROR(writing.get());
    cost_.took += Clock::now() - start;
    cost_.entries = gram.entry_count();
    cost_.memory_bytes = gram.memory_bytes() + features_.memory_bytes();
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> MakeRow(const Gram& gram, size_t row, KernelFormat format) const {
    std::vector<double> values(gram.size());
    KINDRED_RETURN_IF_ERROR(gram.Row(row, 0, values, interrupt_));
    if (flags_.normalize) {
      gram.Normalize(row, 0, values);
    }
    return FormatRow({row, ids_[row], classes_[row], values}, format);
  }

  const KernelFlags& flags_;
  const KernelTraits& traits_;
  RecordRun run_;
  const ParallelFor parallel_for_;
  const Interrupt interrupt_;
  GraphFeatures features_;
  Gram::Builder builder_;
  std::vector<Graph> batch_;
  std::vector<std::string> ids_;
  std::vector<std::string> classes_;
  KernelCost cost_;
};

}  // namespace

absl::StatusOr<ExitCode> RunFileKernel(const Session& session, const KernelFlags& flags) {
  if (flags.depth.value_or(0) > kDepthMax) {
    return InvalidArgument("--depth: {} is deeper than {}, the deepest there is", *flags.depth, kDepthMax);
  }
  return FileKernel(session, flags).Run(session);
}

}  // namespace kindred::cli
