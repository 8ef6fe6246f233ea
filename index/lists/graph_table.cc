#include "index/lists/graph_table.h"

#include <algorithm>

#include "index/base/check.h"
#include "index/base/limits.h"

namespace kindred {
namespace {

// A length of up to 127 takes one byte, a longer one two.
static_assert(kExternalIdBytesMax < 1 << 15);
constexpr uint8_t kTwoBytes = 0x80;

// The text at `at`, which then stands behind it.
std::string_view NextText(const char*& at) {
  size_t size = static_cast<uint8_t>(*at++);
  if (size >= kTwoBytes) {
    size = (size - kTwoBytes) << 8 | static_cast<uint8_t>(*at++);
  }
  const std::string_view text(at, size);
  at += size;
  return text;
}

}  // namespace

size_t GraphTable::memory_bytes() const {
  return by_id_.capacity() * sizeof(Place) + vertex_counts_.capacity() * sizeof(uint16_t) +
         large_.capacity() * sizeof(large_[0]) + group_begins_.capacity() * sizeof(uint64_t) +
         id_bytes_.capacity();
}

uint32_t GraphTable::LargeVertexCount(uint32_t slot) const {
  return std::ranges::lower_bound(large_, slot, {}, &std::pair<uint32_t, uint32_t>::first)->second;
}

std::string_view GraphTable::external_id(uint32_t slot) const {
  const char* at = id_bytes_.data() + group_begins_[slot / kIdGroup];
  for (uint32_t i = 0; i < slot % kIdGroup; ++i) {
    NextText(at);
  }
  return NextText(at);
}

std::optional<uint32_t> GraphTable::Find(GraphId id) const {
  if (by_id_.empty() || id < base_ || id > last_id()) {
    return std::nullopt;
  }
  const auto offset = static_cast<uint32_t>(Raw(id) - Raw(base_));
  const auto found = std::ranges::lower_bound(by_id_, offset, {}, &Place::offset);
  return found->offset == offset ? std::optional(found->slot) : std::nullopt;
}

std::optional<uint32_t> GraphTable::FindExternalId(std::string_view external_id,
                                                   const std::function<bool(uint32_t)>& counts) const {
  const char* at = id_bytes_.data();
  for (uint32_t slot = 0; slot < slot_count(); ++slot) {
    if (NextText(at) == external_id && counts(slot)) {
      return slot;
    }
  }
  return std::nullopt;
}

GraphId GraphTable::id_of(uint32_t slot) const {
  return GraphId{Raw(base_) + std::ranges::find(by_id_, slot, &Place::slot)->offset};
}

size_t GraphTable::IdBytes(std::string_view external_id) {
  return (external_id.size() < kTwoBytes ? 1 : 2) + external_id.size();
}

void GraphTable::Reserve(size_t slots, size_t id_bytes) {
  vertex_counts_.reserve(slots);
  group_begins_.reserve((slots + kIdGroup - 1) / kIdGroup);
  id_bytes_.reserve(id_bytes);
}

void GraphTable::AddExternalId(std::string_view external_id) {
  if ((slot_count() - 1) % kIdGroup == 0) {
    group_begins_.push_back(id_bytes_.size());
  }
  if (external_id.size() < kTwoBytes) {
    id_bytes_.push_back(static_cast<char>(external_id.size()));
  } else {
    id_bytes_.push_back(static_cast<char>(kTwoBytes | external_id.size() >> 8));
    id_bytes_.push_back(static_cast<char>(external_id.size() & 0xff));
  }
  id_bytes_.append(external_id);
}

void GraphTable::Add(uint32_t vertex_count, std::string_view external_id) {
  KINDRED_CHECK(vertex_count > 0);
  if (vertex_count < kLarge) {
    vertex_counts_.push_back(static_cast<uint16_t>(vertex_count));
  } else {
    large_.emplace_back(slot_count(), vertex_count);
    vertex_counts_.push_back(kLarge);
  }
  AddExternalId(external_id);
}

void GraphTable::AddEmpty() {
  empty_slots_.push_back(slot_count());
  vertex_counts_.push_back(0);
  AddExternalId({});
}

void GraphTable::AddId(GraphId id, uint32_t slot) {
  if (by_id_.empty()) {
    base_ = id;
  }
  KINDRED_CHECK(by_id_.empty() || (id > last_id() && Raw(id) - Raw(base_) <= UINT32_MAX));
  by_id_.push_back({static_cast<uint32_t>(Raw(id) - Raw(base_)), slot});
}

}  // namespace kindred
