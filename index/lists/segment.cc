#include "index/lists/segment.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "index/base/check.h"

namespace kindred {

size_t Segment::memory_bytes() const {
  return graph_ids_.capacity() * sizeof(GraphId) + vertex_counts_.capacity() * sizeof(uint32_t) +
         id_ends_.capacity() * sizeof(uint32_t) + id_bytes_.capacity() +
         colours_.capacity() * sizeof(ColourId) + list_ends_.capacity() * sizeof(uint64_t) +
         postings_.capacity() * sizeof(Posting);
}

std::optional<uint32_t> Segment::Find(GraphId id) const {
  const auto found = std::lower_bound(graph_ids_.begin(), graph_ids_.end(), id);
  if (found == graph_ids_.end() || *found != id) {
    return std::nullopt;
  }
  return static_cast<uint32_t>(found - graph_ids_.begin());
}

std::span<const Posting> Segment::list(ColourId colour) const {
  const auto found = std::lower_bound(colours_.begin(), colours_.end(), colour);
  if (found == colours_.end() || *found != colour) {
    return {};
  }
  const auto i = static_cast<size_t>(found - colours_.begin());
  const uint64_t begin = i == 0 ? 0 : list_ends_[i - 1];
  return std::span(postings_).subspan(begin, list_ends_[i] - begin);
}

void Segment::AddGraph(GraphId id, uint32_t vertex_count, std::string_view external_id) {
  KINDRED_CHECK(graph_ids_.empty() || graph_ids_.back() < id);
  graph_ids_.push_back(id);
  vertex_counts_.push_back(vertex_count);
  id_bytes_.append(external_id);
  id_ends_.push_back(static_cast<uint32_t>(id_bytes_.size()));
}

void SegmentBuilder::Add(GraphId id, std::string_view external_id, const Histogram& histogram) {
  const uint32_t graph = segment_->size();
  segment_->AddGraph(id, histogram.vertex_count(), external_id);
  for (const Histogram::Entry& entry : histogram.entries()) {
    postings_.push_back({entry.colour, {graph, entry.count}});
  }
}

std::shared_ptr<const Segment> SegmentBuilder::Build() && {
  std::sort(postings_.begin(), postings_.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.graph) < std::tie(b.first, b.second.graph);
  });
  Segment& segment = *segment_;
  segment.postings_.reserve(postings_.size());
  for (const auto& [colour, posting] : postings_) {
    if (segment.colours_.empty() || segment.colours_.back() != colour) {
      segment.colours_.push_back(colour);
      segment.list_ends_.push_back(segment.postings_.size());
    }
    segment.postings_.push_back(posting);
    segment.list_ends_.back() = segment.postings_.size();
  }
  return std::move(segment_);
}

// Lists are joined part after part, which keeps them sorted, and graphs are renumbered on the way.
class SegmentMerger {
 public:
  explicit SegmentMerger(std::span<const SegmentView> parts) : parts_(parts), merged_(new Segment) {}

  std::shared_ptr<const Segment> Merge() && {
    AddGraphs();
    AddLists();
    return std::move(merged_);
  }

 private:
  static constexpr uint32_t kDropped = UINT32_MAX;

  void AddGraphs() {
    for (const SegmentView& part : parts_) {
      std::vector<uint32_t>& numbers = renumbered_.emplace_back(part.segment->size(), kDropped);
      for (uint32_t graph = 0; graph < part.segment->size(); ++graph) {
        if (part.is_live(graph)) {
          numbers[graph] = merged_->size();
          merged_->AddGraph(part.segment->graph_id(graph), part.segment->vertex_count(graph),
                            part.segment->external_id(graph));
        }
      }
    }
  }

  void AddLists() {
    // The next colour of each part, smallest first.
    using Next = std::tuple<ColourId, size_t, size_t>;  // Colour, part, its place in the part.
    std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
    const auto push = [&](size_t part, size_t place) {
      if (place < parts_[part].segment->colours_.size()) {
        queue.emplace(parts_[part].segment->colours_[place], part, place);
      }
    };
    for (size_t part = 0; part < parts_.size(); ++part) {
      merged_->postings_.reserve(merged_->postings_.capacity() + parts_[part].segment->postings_.size());
      push(part, 0);
    }
    while (!queue.empty()) {
      const ColourId colour = std::get<0>(queue.top());
      const size_t before = merged_->postings_.size();
      while (!queue.empty() && std::get<0>(queue.top()) == colour) {
        const auto [same_colour, part, place] = queue.top();
        queue.pop();
        AddList(part, place);
        push(part, place + 1);
      }
      if (merged_->postings_.size() != before) {
        merged_->colours_.push_back(colour);
        merged_->list_ends_.push_back(merged_->postings_.size());
      }
    }
  }

  void AddList(size_t part, size_t place) {
    const Segment& segment = *parts_[part].segment;
    for (uint64_t i = place == 0 ? 0 : segment.list_ends_[place - 1]; i < segment.list_ends_[place]; ++i) {
      const Posting posting = segment.postings_[i];
      const uint32_t number = renumbered_[part][posting.graph];
      if (number != kDropped) {
        merged_->postings_.push_back({number, posting.count});
      }
    }
  }

  std::span<const SegmentView> parts_;
  std::vector<std::vector<uint32_t>> renumbered_;
  std::shared_ptr<Segment> merged_;
};

std::shared_ptr<const Segment> MergeSegments(std::span<const SegmentView> parts) {
  return SegmentMerger(parts).Merge();
}

}  // namespace kindred
