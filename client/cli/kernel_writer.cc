#include "client/cli/kernel_writer.h"

#include <memory>
#include <utility>

#include "client/cli/terminal.h"
#include "client/cli/text.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr uint64_t kBarWidth = 20;

}  // namespace

absl::StatusOr<KernelWriter> KernelWriter::Open(const Session& session, const KernelFlags& flags) {
  const KernelFormat format = session.options.json ? KernelFormat::kJsonLines : flags.format;
  KINDRED_ASSIGN_OR_RETURN(Output output, Output::Open(flags.output, session.out()));
  if (format == KernelFormat::kNpy && output.is_standard() && IsTerminal(session.out())) {
    return InvalidArgument("--format npy is not for a terminal: give -o FILE, or redirect the output");
  }
  return KernelWriter(session, format, std::move(output));
}

KernelWriter::KernelWriter(const Session& session, KernelFormat format, Output output)
    : format_(format), output_(std::move(output)) {
  const bool shows = IsTerminal(session.err()) && !(output_.is_standard() && IsTerminal(session.out()));
  progress_ = std::make_unique<Progress>(session.err(), shows, "rows");
}

void KernelWriter::ShowRows(uint64_t done, uint64_t all) { progress_->Update(done, ProgressBar(done, all)); }

absl::Status KernelWriter::Close() {
  progress_->Clear();
  return output_.Close();
}

std::string CostLine(std::string_view kernel, uint64_t graphs, const KernelCost& cost) {
  const uint64_t pairs = graphs * (graphs + 1) / 2;
  const double each = pairs > 0 ? cost.took.count() * 1e9 / static_cast<double>(pairs) : 0;
  return fmt::format("{} of {} graphs: {} pairs in {:.2f} s, {:.0f} ns a pair; {} counted features in {}",
                     kernel, graphs, pairs, cost.took.count(), each, cost.entries,
                     FormatBytes(cost.memory_bytes));
}

std::string ProgressBar(uint64_t done, uint64_t all) {
  const uint64_t filled = all > 0 ? done * kBarWidth / all : kBarWidth;
  return fmt::format("[{}{}] {}%", std::string(filled, '='), std::string(kBarWidth - filled, ' '),
                     all > 0 ? done * 100 / all : 100);
}

}  // namespace kindred::cli
