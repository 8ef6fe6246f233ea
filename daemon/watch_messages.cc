#include "daemon/watch_messages.h"

#include "daemon/watch_request.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

// Of one step of the preparation: a millisecond or two.
constexpr int kQueriesAStep = 64;
constexpr int kVerticesAStep = 1 << 12;

void Fill(const Watch& watch, const WatchPart& part, v1::WatchResponse& message) {
  for (const WatchMatch& match : part.matches) {
    v1::WatchResponse::Match& out = *message.add_matches();
    out.set_sequence(Raw(match.sequence));
    out.set_id(match.graph->id);
    out.set_query(watch.query_name(match.query));
    out.set_kernel(match.kernel);
    out.set_similarity(match.similarity);
    out.set_payload(match.graph->payload);
    for (const auto& [key, value] : match.graph->tags) {
      v1::Tag& tag = *out.add_tags();
      tag.set_key(key);
      tag.set_value(value);
    }
  }
  message.set_sequence(Raw(part.sequence));
  message.set_behind(part.behind);
}

}  // namespace

absl::Status WatchMessages::Prepare() {
  if (watch_ == nullptr) {
    KINDRED_ASSIGN_OR_RETURN(WatchRequest request, ToWatchRequest(request_, engine_.limits()));
    KINDRED_ASSIGN_OR_RETURN(watch_, Watch::Create(engine_, std::move(request)));
  }
  int vertices = 0;
  for (int i = 0; i < kQueriesAStep && vertices < kVerticesAStep; ++i) {
    const auto place = static_cast<int>(watch_->query_count());
    if (place == request_.queries_size()) {
      prepared_ = true;
      names_.clear();
      request_ = {};
      return absl::OkStatus();
    }
    KINDRED_RETURN_IF_ERROR(AddQuery(request_, place, engine_.limits(), names_, *watch_));
    vertices += request_.queries(place).graph().graph().vertices_size();
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> WatchMessages::Step(v1::WatchResponse& message, const Interrupt& interrupt) {
  message.Clear();
  if (!prepared_) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    KINDRED_RETURN_IF_ERROR(Prepare());
    if (!prepared_) {
      return false;
    }
    KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> newest, engine_.snapshot());
    message.set_sequence(Raw(watch_->position()));
    message.set_behind(Raw(newest->sequence) - Raw(watch_->position()));
    message.set_incarnation(incarnation_);
    Note(message);
    return true;
  }
  KINDRED_ASSIGN_OR_RETURN(const WatchPart part, watch_->Next(interrupt));
  sequence_ = Raw(part.sequence);
  const auto due = next_message();
  if (part.matches.empty() && !(told_behind_ && part.behind == 0) && !(due && *due <= Clock::now())) {
    return false;
  }
  Fill(*watch_, part, message);
  Note(message);
  return true;
}

std::optional<WatchMessages::Clock::time_point> WatchMessages::next_message() const {
  return sequence_ == told_sequence_ ? std::nullopt : std::optional(told_at_ + kProgressEvery);
}

void WatchMessages::Note(const v1::WatchResponse& message) {
  told_at_ = Clock::now();
  told_sequence_ = sequence_ = message.sequence();
  told_behind_ = message.behind() > 0;
}

}  // namespace kindred::daemon
