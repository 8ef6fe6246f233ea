// Inverted segments of histograms at hand, as tests need them: packed, then inverted as the index does it.

#pragma once

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "index/histogram/packed.h"
#include "index/lists/segment.h"

namespace kindred::test {

class SegmentBuilder {
 public:
  // In any order.
  void Add(GraphId id, std::string_view external_id, const Histogram& histogram) {
    Member& member =
        members_.emplace_back(Member{id, std::string(external_id), histogram.vertex_count(), {}});
    AppendPacked(member.packed, histogram);
  }

  // Null if it was stopped.
  std::shared_ptr<const Segment> Build(Ordering ordering, const std::stop_token& stop = {}) && {
    std::ranges::sort(members_, {}, &Member::id);
    PlainSegmentBuilder plain;
    for (const Member& member : members_) {
      plain.Add(member.id, member.external_id, member.vertex_count, member.packed);
    }
    return InvertPlain(std::vector<SegmentView>{{std::move(plain).Build(), nullptr}}, ordering, stop);
  }

 private:
  struct Member {
    GraphId id{};
    std::string external_id;
    uint32_t vertex_count = 0;
    std::string packed;
  };

  std::vector<Member> members_;
};

}  // namespace kindred::test
