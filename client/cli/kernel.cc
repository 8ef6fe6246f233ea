// kindred kernel: the kernel matrix of stored graphs, or of the graphs of files.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/kernel_flags.h"
#include "client/cli/kernel_format.h"
#include "client/cli/kernel_writer.h"
#include "client/cli/session.h"
#include "client/formats/input_stream.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

// One id a line; empty lines are skipped.
absl::StatusOr<std::vector<std::string>> ReadIds(const std::string& path) {
  KINDRED_ASSIGN_OR_RETURN(const auto input, formats::InputStream::Open(path));
  std::vector<std::string> ids;
  while (auto line = input->NextLine()) {
    KINDRED_ASSIGN_OR_RETURN(std::string id, std::move(line->text));
    if (!id.empty()) {
      ids.push_back(std::move(id));
    }
  }
  if (ids.empty()) {
    // An empty list would ask the daemon for all graphs.
    return InvalidArgument("{} has no ids in it", path);
  }
  return ids;
}

absl::StatusOr<std::vector<std::string>> ReadAllIds(client::Client& client,
                                                    const v1::KernelRequest& request) {
  // The header of a CSV file names every column before the first row is known.
  if (request.ids_size() > 0) {
    return std::vector<std::string>(request.ids().begin(), request.ids().end());
  }
  std::vector<std::string> ids;
  KINDRED_RETURN_IF_ERROR(client.Export({}, [&ids](const v1::Record& record) {
    ids.push_back(record.id());
    return absl::OkStatus();
  }));
  return ids;
}

v1::KernelKind ToProto(KernelKind kind) {
  // The same order in both, from 1 there.
  static_assert(static_cast<int>(KernelKind::kWlOa) + 1 == v1::KERNEL_KIND_WLOA);
  static_assert(static_cast<int>(KernelKind::kVOa) + 1 == v1::KERNEL_KIND_VOA);
  static_assert(static_cast<int>(KernelKind::kEOa) + 1 == v1::KERNEL_KIND_EOA);
  static_assert(static_cast<int>(KernelKind::kWl) + 1 == v1::KERNEL_KIND_WL);
  static_assert(static_cast<int>(KernelKind::kV) + 1 == v1::KERNEL_KIND_V);
  static_assert(static_cast<int>(KernelKind::kE) + 1 == v1::KERNEL_KIND_E);
  static_assert(static_cast<int>(KernelKind::kGl) + 1 == v1::KERNEL_KIND_GL);
  static_assert(static_cast<int>(KernelKind::kSp) + 1 == v1::KERNEL_KIND_SP);
  return static_cast<v1::KernelKind>(static_cast<int>(kind) + 1);
}

absl::StatusOr<v1::KernelRequest> ToRequest(const KernelFlags& flags) {
  v1::KernelRequest request;
  request.set_kernel(ToProto(flags.kernel));
  request.set_normalize(flags.normalize);
  request.set_row_tag(flags.class_tag);
  if (flags.depth.has_value()) {
    request.set_depth(*flags.depth);
  }
  if (!flags.ids_file.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const std::vector<std::string> ids, ReadIds(flags.ids_file));
    request.mutable_ids()->Assign(ids.begin(), ids.end());
  }
  return request;
}

absl::StatusOr<ExitCode> RunStoredKernel(const Session& session, const KernelFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(v1::KernelRequest request, ToRequest(flags));
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  KINDRED_ASSIGN_OR_RETURN(KernelWriter writer, KernelWriter::Open(session, flags));
  if (writer.format() == KernelFormat::kCsv) {
    // Rows of these very graphs, whatever is written meanwhile.
    KINDRED_ASSIGN_OR_RETURN(const std::vector<std::string> ids, ReadAllIds(*client, request));
    request.mutable_ids()->Assign(ids.begin(), ids.end());
    KINDRED_RETURN_IF_ERROR(writer.Write(CsvHeader(ids)));
  }
  uint64_t rows = 0;
  v1::KernelStats stats;
  const auto begin_npy = [&](uint64_t size) {
    return writer.format() == KernelFormat::kNpy ? writer.Write(NpyHeader(size)) : absl::OkStatus();
  };
  const auto take_row = [&](const v1::KernelRow& row) -> absl::Status {
    const auto size = static_cast<uint64_t>(row.values_size());
    if (rows++ == 0) {
      KINDRED_RETURN_IF_ERROR(begin_npy(size));
    }
    const std::span values(row.values().data(), size);
    KINDRED_ASSIGN_OR_RETURN(const std::string bytes,
                             FormatRow({row.index(), row.id(), row.tag(), values}, writer.format()));
    writer.ShowRows(rows, size);
    stats = row.stats();
    return writer.Write(bytes);
  };
  KINDRED_RETURN_IF_ERROR(client->Kernel(request, take_row));
  if (rows == 0) {
    KINDRED_RETURN_IF_ERROR(begin_npy(0));
  }
  KINDRED_RETURN_IF_ERROR(writer.Close());
  const KernelCost cost{std::chrono::microseconds(stats.micros()), stats.entries(), stats.memory_bytes()};
  session.Say(CostLine(TraitsOf(flags.kernel).name, rows, cost));
  return ExitCode::kOk;
}

std::vector<Choice<KernelKind>> KernelChoices() {
  std::vector<Choice<KernelKind>> choices;
  choices.reserve(std::size(kKernels));
  for (const KernelTraits& traits : kKernels) {
    choices.push_back({traits.word, traits.kind});
  }
  return choices;
}

// Which graphs: stored ones, all or some, or those of files.
void AddGraphFlags(CLI::App& app, KernelFlags& flags) {
  CLI::Option* const ids =
      app.add_option("--ids-file", flags.ids_file, "only these graphs, in this order: one id a line")
          ->type_name("FILE");
  CLI::Option* const file =
      app.add_option("--file", flags.records.files,
                     "the graphs of this file instead of stored ones, without a daemon; may be given again")
          ->type_name("FILE")
          ->allow_extra_args(false)
          ->excludes(ids);
  AddRecordFlags(app, flags.records, "then nothing is written", "--file-format");
  app.add_option("--threads", flags.threads, "threads for --file (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  for (const char* const name :
       {"--file-format", "--labels", "--edge-labels", "--on-error", "--verbose", "--threads"}) {
    app.get_option(name)->needs(file);
  }
}

}  // namespace

Command AddKernel(CLI::App& parent) {
  const auto flags = std::make_shared<KernelFlags>();
  CLI::App& app = *parent.add_subcommand("kernel", "kernel matrix of all graphs, of some, or of files");
  AddChoice<KernelKind>(
      app, "--kernel", flags->kernel, KernelChoices(),
      "what is compared: colours of all levels (wl), vertices (v), edges (e), graphlets (gl), "
      "shortest paths (sp); ..oa: as an optimal assignment");
  app.add_option("--depth", flags->depth,
                 "of wloa and wl: levels 0 to D count (default: all the index has; with --file: 3)")
      ->type_name("D");
  app.add_flag("--normalize", flags->normalize, "K(G,H) / sqrt(K(G,G) K(H,H)) instead of K(G,H)");
  AddChoice<KernelFormat>(
      app, "--format", flags->format,
      {{"libsvm", KernelFormat::kLibsvm}, {"npy", KernelFormat::kNpy}, {"csv", KernelFormat::kCsv}},
      "libsvm: \"class 0:row 1:K 2:K ...\"; npy: NumPy's, doubles alone; csv: ids as header and first "
      "column");
  AddGraphFlags(app, *flags);
  app.add_option("-o,--output", flags->output, "file to write; it appears when it is complete")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--class-tag", flags->class_tag, "the tag that is the class of a graph; without it: 0")
      ->type_name("KEY")
      ->capture_default_str();
  app.footer(
      "With --json a row is a line. The whole has no time limit unless --timeout is given.\n"
      "What it cost is told on standard error.\n"
      "Exit code 3: some records of --file were rejected; they are reported, and left out of the matrix.");
  return {&app, [flags](Session& session) {
            return flags->records.files.empty() ? RunStoredKernel(session, *flags)
                                                : RunFileKernel(session, *flags);
          }};
}

}  // namespace kindred::cli
