#include "index/lists/colour_lists.h"

#include <algorithm>
#include <tuple>

namespace kindred {

size_t ColourLists::memory_bytes() const {
  return colours_.capacity() * sizeof(ColourId) + ends_.capacity() * sizeof(uint64_t) +
         postings_.capacity() * sizeof(Posting);
}

std::span<const Posting> ColourLists::list(ColourId colour) const {
  const auto found = std::lower_bound(colours_.begin(), colours_.end(), colour);
  if (found == colours_.end() || *found != colour) {
    return {};
  }
  return at(static_cast<size_t>(found - colours_.begin()));
}

void ColourLists::Builder::Add(std::span<const Histogram::Entry> entries) {
  for (const Histogram::Entry& entry : entries) {
    postings_.push_back({entry.colour, {graph_count_, entry.count}});
  }
  ++graph_count_;
}

ColourLists ColourLists::Builder::Build() && {
  std::sort(postings_.begin(), postings_.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.graph) < std::tie(b.first, b.second.graph);
  });
  ColourLists lists;
  lists.graph_count_ = graph_count_;
  lists.postings_.reserve(postings_.size());
  for (const auto& [colour, posting] : postings_) {
    if (lists.colours_.empty() || lists.colours_.back() != colour) {
      lists.colours_.push_back(colour);
      lists.ends_.push_back(lists.postings_.size());
    }
    lists.postings_.push_back(posting);
    lists.ends_.back() = lists.postings_.size();
  }
  return lists;
}

}  // namespace kindred
