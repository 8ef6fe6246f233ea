#include "client/cli/stats_watch.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "client/cli/interrupt.h"
#include "client/cli/output.h"
#include "client/cli/stats_text.h"
#include "client/cli/terminal.h"
#include "fmt/format.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

using Clock = std::chrono::steady_clock;

// How long Ctrl-C may take to be noticed.
constexpr std::chrono::milliseconds kNap{50};

// False: interrupted.
bool SleepUntil(Clock::time_point end, const InterruptScope& interrupt) {
  while (!interrupt.interrupted() && Clock::now() < end) {
    std::this_thread::sleep_for(std::min<Clock::duration>(kNap, end - Clock::now()));
  }
  return !interrupt.interrupted();
}

class StatsView {
 public:
  explicit StatsView(const Session& session)
      : session_(session),
        output_(session.out()),
        redraws_(!session.options.json && IsTerminal(session.out())) {}

  absl::Status Show(const v1::StatsResponse& stats) {
    const auto now = Clock::now();
    std::optional<StatsRates> rates;
    if (last_) {
      rates = RatesBetween(*last_, stats, std::chrono::duration<double>(now - last_time_).count());
    }
    last_ = stats;
    last_time_ = now;
    KINDRED_RETURN_IF_ERROR(output_.Write(Text(stats, rates)));
    return output_.Flush();
  }

 private:
  std::string Text(const v1::StatsResponse& stats, const std::optional<StatsRates>& rates) {
    if (session_.options.json) {
      return JsonLine(StatsJson(stats, rates));
    }
    if (!redraws_) {
      return StatsLine(stats, rates);
    }
    const std::string screen = StatsScreen(stats, rates);
    const auto lines = std::ranges::count(screen, '\n');
    // Back to the first of the lines drawn before, and everything from there cleared.
    const std::string back = drawn_lines_ > 0 ? fmt::format("\x1b[{}A\r\x1b[J", drawn_lines_) : "";
    drawn_lines_ = lines;
    return back + screen;
  }

  const Session& session_;
  Output output_;
  const bool redraws_;
  std::ptrdiff_t drawn_lines_ = 0;
  std::optional<v1::StatsResponse> last_;
  Clock::time_point last_time_;
};

}  // namespace

absl::StatusOr<ExitCode> WatchStats(const Session& session, client::Client& client, double seconds) {
  const auto interval = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const InterruptScope interrupt;
  StatsView view(session);
  KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse first, client.Stats());
  KINDRED_RETURN_IF_ERROR(view.Show(first));
  bool lost = false;
  for (auto next = Clock::now() + interval; SleepUntil(next, interrupt); next = Clock::now() + interval) {
    const auto stats = client.Stats();
    if (stats.ok()) {
      lost = false;
      KINDRED_RETURN_IF_ERROR(view.Show(*stats));
    } else if (!absl::IsUnavailable(stats.status())) {
      return stats.status();
    } else if (!std::exchange(lost, true)) {
      session.Say(
          fmt::format("lost the daemon at {}, and asks again until it is back", session.options.server));
    }
  }
  return ExitCode::kOk;
}

}  // namespace kindred::cli
