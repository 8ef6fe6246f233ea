#include "index/engine/pair_expansion.h"

#include <utility>

#include "index/base/check.h"

namespace kindred {

std::vector<FoundPair>& PairExpansion::Refill() {
  KINDRED_CHECK(empty());
  found_.clear();
  next_ = 0;
  return found_;
}

SimilarPair PairExpansion::Take() {
  const FoundPair& found = found_[next_];
  const ScoredPair& pair = found.pair;
  std::string_view a;
  std::string_view b;
  switch (found.kind) {
    case FoundPair::Kind::kGraphs:
      a = search_.parts().external_id(pair.a);
      b = search_.parts().external_id(pair.b);
      break;
    case FoundPair::Kind::kClasses:
      a = search_.parts().external_id(Member(pair.a, i_));
      b = search_.parts().external_id(Member(pair.b, j_));
      break;
    case FoundPair::Kind::kEqual:
      a = search_.parts().external_id(Member(pair.a, i_));
      b = search_.parts().external_id(Member(pair.a, i_ + 1 + j_));
      break;
  }
  if (b < a) {
    std::swap(a, b);
  }
  const SimilarPair taken{a, b, pair.kernel, pair.similarity};
  Advance(found);
  return taken;
}

uint32_t PairExpansion::Member(uint32_t number, uint64_t i) const {
  const auto equals = search_.equal().equals(number);
  return equals.empty() ? number : equals[i];
}

void PairExpansion::Advance(const FoundPair& found) {
  uint64_t rows = 1;
  uint64_t columns = 1;
  const EqualGraphs& equal = search_.equal();
  switch (found.kind) {
    case FoundPair::Kind::kGraphs:
      break;
    case FoundPair::Kind::kClasses:
      rows = equal.size(found.pair.a);
      columns = equal.size(found.pair.b);
      break;
    case FoundPair::Kind::kEqual:  // A triangle: each with those after it.
      rows = equal.size(found.pair.a) - 1;
      columns = rows - i_;
      break;
  }
  if (++j_ < columns) {
    return;
  }
  j_ = 0;
  if (++i_ < rows) {
    return;
  }
  i_ = 0;
  ++next_;
}

}  // namespace kindred
