#include "client/formats/input_stream.h"

#include "absl/status/status.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kLeadingBlank = " \t\r\n\v\f";

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

Line MakeLine(uint64_t number, std::string_view text, bool is_too_long) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (is_too_long || text.size() > kLineBytesMax) {
    return {number, absl::InvalidArgumentError(fmt::format("line is longer than {} bytes", kLineBytesMax))};
  }
  if (number == 1) text = WithoutByteOrderMark(text);
  return {number, std::string(text)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<InputStream>> InputStream::Open(const std::string& path) {
  absl::StatusOr<std::unique_ptr<ArchiveSource>> source = ArchiveSource::Open(path);
  if (!source.ok()) return source.status();
  return Open(*std::move(source));
}

absl::StatusOr<std::unique_ptr<InputStream>> InputStream::Open(std::unique_ptr<ArchiveSource> source) {
  if (const absl::Status status = source->CheckIsOneFile(); !status.ok()) return status;
  return std::unique_ptr<InputStream>(new InputStream(std::move(source)));
}

std::optional<Line> InputStream::NextLine() {
  if (buffer_.at_end() && (buffer_.error().ok() || error_told_) && buffer_.bytes().empty()) {
    return std::nullopt;
  }
  ++lines_;
  bool is_too_long = false;
  size_t searched_bytes = 0;
  while (true) {
    const std::string_view buffered = buffer_.bytes();
    const size_t line_bytes = buffered.find('\n', searched_bytes);
    if (line_bytes != std::string_view::npos) {
      buffer_.Use(line_bytes + 1);
      return MakeLine(lines_, buffered.substr(0, line_bytes), is_too_long);
    }
    searched_bytes = buffered.size();
    // One byte more than the longest line may be its "\r".
    if (searched_bytes > kLineBytesMax + 1) {
      is_too_long = true;
      buffer_.Use(searched_bytes);
      searched_bytes = 0;
    }
    if (!buffer_.Fill()) return LastLine(is_too_long);
  }
}

std::optional<Line> InputStream::LastLine(bool is_too_long) {
  const std::string_view rest = buffer_.bytes();
  buffer_.Use(rest.size());
  if (!buffer_.error().ok()) {
    error_told_ = true;
    return Line{lines_, buffer_.error()};
  }
  if (rest.empty() && !is_too_long) return std::nullopt;
  return MakeLine(lines_, rest, is_too_long);
}

std::string_view InputStream::Peek() {
  while (true) {
    const std::string_view text = WithoutByteOrderMark(buffer_.bytes());
    const size_t blank_bytes = text.find_first_not_of(kLeadingBlank);
    if (blank_bytes != std::string_view::npos) return text.substr(blank_bytes);
    if (text.size() > kLineBytesMax || !buffer_.Fill()) return {};
  }
}

bool InputStream::Ready() const {
  return buffer_.at_end() || buffer_.bytes().find('\n') != std::string_view::npos || buffer_.source().Ready();
}

}  // namespace kindred::formats
