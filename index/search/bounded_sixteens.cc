#include "index/search/bounded_sixteens.h"

#include <utility>

#include "index/base/status.h"

namespace kindred {

void BoundedSixteens::Reset(std::vector<uint32_t> words, size_t levels) {
  words_ = std::move(words);
  level_count_ = levels;
  scratch_.rare.assign(words_.size() * levels * 16, 0);
  GrowTo(scratch_.bounds, words_.size() * 16);
  GrowTo(scratch_.frequent, words_.size() * 16);
  GrowTo(scratch_.most, words_.size());
}

absl::Status BoundedSixteens::Bound(std::span<const LevelTerms> levels, const Interrupt& interrupt) {
  constexpr size_t kWordsBetweenChecks = 1024;
  for (size_t first = 0; first < words_.size(); first += kWordsBetweenChecks) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    const size_t size = std::min(kWordsBetweenChecks, words_.size() - first);
    BoundSixteens(levels, std::span(words_).subspan(first, size),
                  scratch_.rare.data() + first * level_count_ * 16, sizes_.largest,
                  {scratch_.bounds.data() + first * 16, scratch_.frequent.data() + first * 16,
                   scratch_.most.data() + first});
  }
  return interrupt.Check();
}

}  // namespace kindred
