#include "client/cli/record_run.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "client/cli/output.h"
#include "client/cli/record_feed.h"
#include "client/cli/table.h"
#include "client/cli/terminal.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr uint64_t kRejectionsShown = 20;

}  // namespace

RecordRun::RecordRun(const Session& session, const RecordFlags& flags)
    : session_(session),
      flags_(flags),
      lists_all_(flags.verbose || session.options.json),
      shows_progress_(IsTerminal(session.err())),
      log_(lists_all_ ? std::numeric_limits<uint64_t>::max() : kRejectionsShown),
      progress_(session.err(), shows_progress_, "records"),
      start_(std::chrono::steady_clock::now()) {}

absl::Status RecordRun::CheckFiles() const {
  for (const std::string& file : flags_.files) {
    if (file != "-" && ::access(file.c_str(), R_OK) != 0) {
      return MakeStatus(absl::StatusCode::kNotFound, "cannot read {}: {}", file, std::strerror(errno));
    }
  }
  return absl::OkStatus();
}

absl::Status RecordRun::Run(const std::string& molecule_scheme, const Take& take) {
  KINDRED_ASSIGN_OR_RETURN(const formats::ReadOptions options, ReadOptionsFor(flags_.read, molecule_scheme));
  interrupt_.emplace();
  start_ = std::chrono::steady_clock::now();
  RecordFeed feed(flags_.files, options);
  const std::string tags = TagSuffix(flags_.tags);
  while (!stopped()) {
    RecordFeed::Next next = feed.Take(kTick);
    if (const auto* const end = std::get_if<RecordFeed::End>(&next)) {
      return end->status;
    }
    if (auto* const item = std::get_if<RecordFeed::Item>(&next)) {
      ++read_;
      source_ = item->source;
      const client::Position position{item->source, item->result.position};
      if (item->result.bytes.ok()) {
        KINDRED_RETURN_IF_ERROR(take(*std::move(item->result.bytes) + tags, position));
      } else {
        Reject(position, item->result.id, item->result.bytes.status());
      }
    }
    Show();
  }
  return absl::OkStatus();
}

void RecordRun::Reject(client::Position position, const std::string& id, const absl::Status& status) {
  log_.Add(RejectedRecord{flags_.files[position.source], position.record, id, status});
}

void RecordRun::Show() {
  ShowRejections();
  progress_.Update(read_, note_.empty() ? flags_.files[source_] : note_);
}

void RecordRun::ShowRejections() {
  for (const RejectedRecord& record : log_.Take()) {
    progress_.Clear();
    fmt::print(session_.err(), "{}\n", ToLine(record));
    if (session_.options.json) {
      rejections_.push_back(ToJson(record));
    }
  }
}

void RecordRun::Say(std::string_view message) {
  progress_.Clear();
  session_.Say(message);
}

absl::Status RecordRun::PrintSummary(FILE* out, const std::vector<Count>& counts, uint64_t done) {
  ShowRejections();
  progress_.Clear();
  if (!lists_all_ && log_.count() > kRejectionsShown) {
    fmt::print(session_.err(), "... and {} more (--verbose lists all)\n", log_.count() - kRejectionsShown);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
  const double seconds = took.count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  Output output(out);
  if (session_.options.json) {
    return output.Write(JsonLine(SummaryJson(counts, seconds, rate)));
  }
  Table table({{"", Align::kLeft}, {"", Align::kRight}});
  for (const Count& count : counts) {
    if (count.shown == Shown::kAlways || (count.shown == Shown::kIfAny && count.value > 0)) {
      table.AddRow({count.name, std::to_string(count.value)});
    }
  }
  table.AddRow({"seconds", fmt::format("{:.2f}", seconds)});
  table.AddRow({"graphs/s", fmt::format("{:.0f}", rate)});
  return output.Write(table.Render(false));
}

Json RecordRun::SummaryJson(const std::vector<Count>& counts, double seconds, double rate) const {
  Json json;
  for (const Count& count : counts) {
    json[count.name] = count.value;
  }
  json["seconds"] = JsonNumber(seconds);
  json["graphs_per_second"] = JsonNumber(rate);
  json["rejections"] = rejections_;
  return json;
}

ExitCode RecordRun::code() const {
  if (interrupted()) {
    return ExitCode::kInterrupted;
  }
  return log_.count() > 0 ? ExitCode::kPartly : ExitCode::kOk;
}

}  // namespace kindred::cli
