#include "index/lists/block_index.h"

#include <algorithm>

namespace kindred {
namespace {

template <typename Vector>
size_t Bytes(const Vector& values) {
  return values.capacity() * sizeof(typename Vector::value_type);
}

}  // namespace

size_t BlockIndex::memory_bytes() const {
  return features_.memory_bytes() + Bytes(list_begins_) + Bytes(postings_) + Bytes(frequent_) +
         Bytes(columns_) + Bytes(group_columns_) + Bytes(row_levels_) + Bytes(row_bits_) + Bytes(rows_) +
         Bytes(mask_begins_) + Bytes(masks_) + Bytes(smallest_) + Bytes(largest_) + Bytes(group_smallest_) +
         Bytes(group_largest_) + Bytes(shelf_smallest_) + Bytes(shelf_largest_);
}

std::optional<uint32_t> BlockIndex::FindFrequent(uint32_t feature) const {
  const auto found = std::lower_bound(frequent_.begin(), frequent_.end(), feature);
  if (found == frequent_.end() || *found != feature) {
    return std::nullopt;
  }
  return static_cast<uint32_t>(found - frequent_.begin());
}

}  // namespace kindred
