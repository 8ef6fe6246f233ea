// Where the rows of a kernel matrix go: a file or standard output, with a progress line meanwhile and a line
// on what it cost in the end.
//
// Threads: one caller at a time.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/cli/kernel_flags.h"
#include "client/cli/output.h"
#include "client/cli/progress.h"
#include "client/cli/session.h"

namespace kindred::cli {

// What a matrix cost, as the last line of the command tells.
struct KernelCost {
  std::chrono::duration<double> took{};  // Features and rows; not the reading of files, not the network.
  uint64_t entries = 0;
  uint64_t memory_bytes = 0;
};

class KernelWriter {
 public:
  // Refuses a binary format on a terminal. Nothing appears under the name of a file before Finish.
  static absl::StatusOr<KernelWriter> Open(const Session& session, const KernelFlags& flags);

  // --json wins over --format.
  KernelFormat format() const { return format_; }

  absl::Status Write(std::string_view bytes) { return output_.Write(bytes); }
  void ShowRows(uint64_t done, uint64_t all);
  // Completes the file.
  absl::Status Close();

 private:
  KernelWriter(const Session& session, KernelFormat format, Output output);

  KernelFormat format_;
  Output output_;
  std::unique_ptr<Progress> progress_;
};

// "WL-OA of 4110 graphs: 8448105 pairs in 0.25 s, 30 ns a pair; 318402 counted features in 5.1 MiB".
std::string CostLine(std::string_view kernel, uint64_t graphs, const KernelCost& cost);

// "[=====     ] 52%", for a progress line.
std::string ProgressBar(uint64_t done, uint64_t all);

}  // namespace kindred::cli
