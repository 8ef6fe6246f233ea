#include "client/cli/output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/cord.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr char kReaderGone[] = "kindred.cli/reader-gone";

}  // namespace

absl::StatusOr<Output> Output::Open(const std::string& path, FILE* standard) {
  if (path == "-") {
    return Output(standard);
  }
  std::error_code ignored;
  const auto type = std::filesystem::symlink_status(path, ignored).type();
  const bool ordinary =
      type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::regular;
  const std::string part_path = ordinary ? path + ".part" : "";
  FILE* const file = std::fopen(ordinary ? part_path.c_str() : path.c_str(), "we");
  if (file == nullptr) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition, "cannot write {}: {}", path,
                      std::strerror(errno));
  }
  return Output(file, path, part_path);
}

Output::Output(Output&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      path_(std::move(other.path_)),
      part_path_(std::exchange(other.part_path_, {})) {}

Output::~Output() {
  if (file_ != nullptr && !path_.empty()) {
    std::fclose(file_);
  }
  if (!part_path_.empty()) {
    std::remove(part_path_.c_str());
  }
}

absl::Status Output::Write(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file_) == text.size() ? absl::OkStatus() : Failure();
}

absl::Status Output::Flush() { return std::fflush(file_) == 0 ? absl::OkStatus() : Failure(); }

absl::Status Output::Close() {
  KINDRED_RETURN_IF_ERROR(Flush());
  if (is_standard()) {
    return absl::OkStatus();
  }
  if (std::fclose(std::exchange(file_, nullptr)) != 0) {
    return Failure();
  }
  if (!part_path_.empty() && std::rename(part_path_.c_str(), path_.c_str()) != 0) {
    return Failure();
  }
  part_path_.clear();
  return absl::OkStatus();
}

absl::Status Output::Failure() const {
  const int error = errno;
  absl::Status status = MakeStatus(absl::StatusCode::kFailedPrecondition, "cannot write {}: {}",
                                   path_.empty() ? "standard output" : path_, std::strerror(error));
  if (error == EPIPE) {
    status.SetPayload(kReaderGone, absl::Cord());
  }
  return status;
}

bool IsReaderGone(const absl::Status& status) { return status.GetPayload(kReaderGone).has_value(); }

}  // namespace kindred::cli
