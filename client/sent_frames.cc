#include "client/sent_frames.h"

#include <utility>

#include "client/grpc_status.h"
#include "index/base/status.h"

namespace kindred::client {

uint64_t SentFrames::Add(std::vector<Position> positions, size_t bytes) {
  frames_.push_back(Frame{std::move(positions), bytes});
  return next_++;
}

absl::StatusOr<SentFrames::Settled> SentFrames::Settle(const v1::IngestAck& ack) {
  const uint64_t first = next_ - frames_.size();
  const uint64_t last = ack.client_sequence();
  if (last >= next_) {
    return MakeStatus(absl::StatusCode::kInternal, "the daemon acknowledged frame {}, which was not sent",
                      last);
  }
  Settled settled;
  for (const v1::IngestAck::Rejected& rejected : ack.rejected()) {
    const uint64_t frame = rejected.client_sequence();
    if (frame < first || frame > last || rejected.item() >= frames_[frame - first].positions.size()) {
      return MakeStatus(absl::StatusCode::kInternal,
                        "the daemon rejected item {} of frame {}, which this answer does not cover",
                        rejected.item(), frame);
    }
    settled.rejections.push_back(Rejection{rejected.id(), FromOutcome(rejected.outcome()),
                                           frames_[frame - first].positions[rejected.item()]});
  }
  // An answer that repeats an older number lets go of nothing.
  for (uint64_t frame = first; frame <= last; ++frame) {
    settled.bytes += frames_.front().bytes;
    frames_.pop_front();
  }
  return settled;
}

}  // namespace kindred::client
