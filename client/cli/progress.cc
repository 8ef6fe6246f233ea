#include "client/cli/progress.h"

#include <utility>

#include "client/cli/text.h"
#include "fmt/format.h"

namespace kindred::cli {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{100};
constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

Progress::Progress(FILE* err, bool enabled, std::string noun)
    : err_(err),
      enabled_(enabled),
      noun_(std::move(noun)),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_) {}

Progress::~Progress() { Clear(); }

void Progress::Update(uint64_t count, std::string_view where) {
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || now - drawn_ < kRedrawInterval) {
    return;
  }
  drawn_ = now;
  visible_ = true;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_);
  fmt::print(err_, "{}{}  {}", kClearLine, ProgressLine(count, noun_, elapsed), Printable(where));
  std::fflush(err_);
}

void Progress::Clear() {
  if (std::exchange(visible_, false)) {
    fmt::print(err_, "{}", kClearLine);
    std::fflush(err_);
  }
}

std::string ProgressLine(uint64_t count, std::string_view noun, std::chrono::milliseconds elapsed) {
  const double seconds = std::chrono::duration<double>(elapsed).count();
  const auto whole = static_cast<uint64_t>(seconds);
  const std::string time = whole < 3600
                               ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                               : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{} {}  {:.0f}/s  {}", count, noun,
                     seconds > 0 ? static_cast<double>(count) / seconds : 0, time);
}

}  // namespace kindred::cli
