// What `kindred kernel` is asked for.

#pragma once

#include <optional>
#include <string>

#include "client/cli/kernel_format.h"
#include "client/cli/read_flags.h"
#include "client/cli/session.h"
#include "index/kernels/kernel_kind.h"

namespace kindred::cli {

struct KernelFlags {
  KernelKind kernel = KernelKind::kWlOa;
  std::optional<uint32_t> depth;
  bool normalize = false;
  KernelFormat format = KernelFormat::kLibsvm;
  std::string ids_file;
  RecordFlags records;  // Without files: of stored graphs.
  int threads = 0;      // For files; 0 is one a core.
  std::string output = "-";
  std::string class_tag = "class";
};

// kernel_file.cc: of the graphs of files, without a daemon.
absl::StatusOr<ExitCode> RunFileKernel(const Session& session, const KernelFlags& flags);

}  // namespace kindred::cli
