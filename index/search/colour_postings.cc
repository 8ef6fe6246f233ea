#include "index/search/colour_postings.h"

#include <algorithm>

namespace kindred {

void ColourPostings::Add(ColourId colour, ColourPosting posting) {
  lists_[Raw(colour)].push_back(posting);
  ++postings_;
  if (lists_.size() * kBitsAColour > filter_.size() * 64) {
    filter_.assign(filter_.size() * 2, 0);
    --shift_;
    for (const auto& [listed, list] : lists_) {
      SetBit(ColourId{listed});
    }
  }
  SetBit(colour);
}

// The bit stays: it may stand for others, and costs a look-up at most.
void ColourPostings::Remove(ColourId colour, uint32_t query) {
  const auto found = lists_.find(Raw(colour));
  std::vector<ColourPosting>& list = found->second;
  *std::ranges::find(list, query, &ColourPosting::query) = list.back();
  list.pop_back();
  --postings_;
  if (list.empty()) {
    lists_.erase(found);
  }
}

}  // namespace kindred
