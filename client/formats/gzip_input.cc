#include "client/formats/gzip_input.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace kindred::formats {

namespace {

// How much is read, and decompressed, at once: larger blocks are no faster.
constexpr size_t kBlockBytes = 256 << 10;

constexpr std::string_view kGzipMagic = "\x1F\x8B";
// For inflateInit2: the largest window, with the header and trailer of gzip.
constexpr int kGzipWindowBits = MAX_WBITS + 16;

}  // namespace

GzipInput::GzipInput(int fd) : fd_(fd) {}

GzipInput::~GzipInput() { inflateEnd(&inflater_); }

absl::StatusOr<std::string_view> GzipInput::NextBlock() {
  while (true) {
    if (state_ == State::kEnd) return std::string_view();
    if (state_ == State::kInMember) {
      const absl::StatusOr<std::string_view> block = Inflate();
      if (!block.ok() || !block->empty()) return block;
    } else if (state_ == State::kBetweenMembers) {
      const absl::Status status = EndMember();
      if (!status.ok()) return status;
    } else {
      const absl::Status status = Fill(state_ == State::kStart ? kGzipMagic.size() : 1);
      if (!status.ok()) return status;
      if (state_ == State::kStart && unused_.starts_with(kGzipMagic)) {
        const absl::Status started = StartMember();
        if (!started.ok()) return started;
        continue;
      }
      state_ = unused_.empty() ? State::kEnd : State::kPlain;
      return std::exchange(unused_, std::string_view());
    }
  }
}

absl::Status GzipInput::Fill(size_t bytes_min) {
  if (unused_.size() >= bytes_min || at_end_) return absl::OkStatus();
  std::string kept(unused_);
  read_.resize(kept.size() + kBlockBytes);
  kept.copy(read_.data(), kept.size());
  size_t filled = kept.size();
  while (filled < bytes_min && !at_end_) {
    const ssize_t got = ::read(fd_, read_.data() + filled, read_.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return absl::ErrnoToStatus(errno, "read");
    at_end_ = got == 0;
    filled += static_cast<size_t>(got);
  }
  unused_ = std::string_view(read_).substr(0, filled);
  return absl::OkStatus();
}

absl::Status GzipInput::StartMember() {
  const bool is_first = inflated_.empty();
  inflated_.resize(kBlockBytes);
  const int outcome = is_first ? inflateInit2(&inflater_, kGzipWindowBits) : inflateReset(&inflater_);
  if (outcome != Z_OK) return absl::ResourceExhaustedError("no memory to decompress gzip");
  state_ = State::kInMember;
  return absl::OkStatus();
}

absl::StatusOr<std::string_view> GzipInput::Inflate() {
  const absl::Status status = Fill(1);
  if (!status.ok()) return status;
  // zlib does not write to its input; its interface is older than const.
  inflater_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(unused_.data()));
  inflater_.avail_in = static_cast<uInt>(unused_.size());
  inflater_.next_out = reinterpret_cast<Bytef*>(inflated_.data());
  inflater_.avail_out = static_cast<uInt>(inflated_.size());
  const int outcome = inflate(&inflater_, Z_NO_FLUSH);
  unused_.remove_prefix(unused_.size() - inflater_.avail_in);
  const std::string_view block =
      std::string_view(inflated_).substr(0, inflated_.size() - inflater_.avail_out);
  if (outcome == Z_STREAM_END) {
    state_ = State::kBetweenMembers;
  } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
    return absl::DataLossError(inflater_.msg != nullptr ? inflater_.msg : "damaged gzip input");
  } else if (block.empty() && unused_.empty() && at_end_) {
    return absl::DataLossError("truncated gzip input");
  }
  return block;
}

absl::Status GzipInput::EndMember() {
  const absl::Status status = Fill(kGzipMagic.size());
  if (!status.ok()) return status;
  if (unused_.starts_with(kGzipMagic)) return StartMember();
  // Tapes pad with zeros.
  const size_t zeros = unused_.find_first_not_of('\0');
  if (zeros != std::string_view::npos) return absl::DataLossError("something else behind the gzip data");
  unused_ = {};
  if (at_end_) state_ = State::kEnd;
  return absl::OkStatus();
}

}  // namespace kindred::formats
