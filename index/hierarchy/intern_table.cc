#include "index/hierarchy/intern_table.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <random>
#include <utility>

#include "highwayhash/c_bindings.h"
#include "index/base/check.h"
#include "index/base/memory.h"

namespace kindred {

// Open addressing with linear probing. A slot holds hash << 32 | id + 1, or 0 when it is free. A slot is
// written once; its release store publishes the bytes behind it.
struct InternTable::Slots {
  explicit Slots(size_t count) : mask(count - 1), slots(count) {}

  size_t count() const { return mask + 1; }

  void Insert(uint32_t hash, uint32_t id) {
    size_t at = hash & mask;
    while (slots[at].load(std::memory_order_relaxed) != 0) {
      at = (at + 1) & mask;
    }
    slots[at].store(uint64_t{hash} << 32 | (id + 1), std::memory_order_release);
  }

  const size_t mask;
  LargeVector<std::atomic<uint64_t>> slots;  // Never changes its size.
};

namespace {

constexpr size_t kSlotsAtStart = 1 << 10;

// Stored bytes start with their length: seven bits a byte, high bit set on all but the last.
size_t LengthBytes(size_t length) {
  size_t bytes = 1;
  while (length >>= 7) {
    ++bytes;
  }
  return bytes;
}

std::string_view ReadStored(const char* stored) {
  size_t length = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<uint8_t>(*stored++);
    length |= static_cast<size_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return {stored, length};
    }
  }
}

}  // namespace

HashKey HashKey::Random() {
  std::random_device device;
  HashKey key;
  for (uint64_t& word : key.words) {
    word = uint64_t{device()} << 32 | device();
  }
  return key;
}

InternTable::View::View(const InternTable* table, std::shared_ptr<const Slots> slots)
    : table_(table), slots_(std::move(slots)) {}

std::optional<uint32_t> InternTable::View::Find(std::string_view bytes) const {
  const uint32_t hash = table_->Hash(bytes);
  return table_->Find(*slots_, hash & slots_->mask, hash, bytes);
}

void InternTable::View::FindAll(std::span<const std::string_view> strings,
                                std::span<std::optional<uint32_t>> found) const {
  std::array<Probe, kGroupMax> probes;
  for (size_t done = 0; done < strings.size(); done += kGroupMax) {
    const std::span group(probes.data(), std::min(kGroupMax, strings.size() - done));
    for (size_t i = 0; i < group.size(); ++i) {
      const uint32_t hash = table_->Hash(strings[done + i]);
      group[i] = {strings[done + i], hash, hash & slots_->mask, nullptr};
      __builtin_prefetch(&slots_->slots[group[i].at]);
    }
    table_->Prefetch(*slots_, group);
    for (size_t i = 0; i < group.size(); ++i) {
      found[done + i] = table_->Find(*slots_, group[i].at, group[i].hash, group[i].bytes);
    }
  }
}

InternTable::InternTable(HashKey key)
    : key_(key),
      slots_bytes_(kSlotsAtStart * sizeof(uint64_t)),
      slots_(std::make_shared<Slots>(kSlotsAtStart)),
      chunks_(new std::atomic<Chunk*>[kChunksMax]()) {}

InternTable::View InternTable::view() const {
  const std::scoped_lock lock(slots_mutex_);
  return {this, slots_};
}

const char* const* InternTable::Cell(uint32_t id) const {
  const Chunk& chunk = *chunks_[id >> kChunkBits].load(std::memory_order_acquire);
  return &chunk[id & (kChunkSize - 1)];
}

std::string_view InternTable::Get(uint32_t id) const { return ReadStored(*Cell(id)); }

uint32_t InternTable::Hash(std::string_view bytes) const {
  const uint64_t hash = SipHash13C(key_.words.data(), bytes.data(), bytes.size());
  return static_cast<uint32_t>(hash) & key_.mask;
}

// Each step asks for the memory the next one reads, and the last for what Find reads. It decides nothing:
// the slots passed by hold other hashes, and a slot in use never changes again.
void InternTable::Prefetch(const Slots& slots, std::span<Probe> probes) const {
  for (Probe& probe : probes) {
    uint64_t slot = slots.slots[probe.at].load(std::memory_order_acquire);
    while (slot != 0 && slot >> 32 != probe.hash) {
      probe.at = (probe.at + 1) & slots.mask;
      slot = slots.slots[probe.at].load(std::memory_order_acquire);
    }
    if (slot != 0) {
      probe.cell = Cell(static_cast<uint32_t>(slot) - 1);
      __builtin_prefetch(probe.cell);
    }
  }
  for (const Probe& probe : probes) {
    if (probe.cell != nullptr) {  // The first byte and, perhaps of the next line, the last.
      __builtin_prefetch(*probe.cell);
      __builtin_prefetch(*probe.cell + probe.bytes.size());
    }
  }
}

std::optional<uint32_t> InternTable::Find(const Slots& slots, size_t at, uint32_t hash,
                                          std::string_view bytes) const {
  for (;; at = (at + 1) & slots.mask) {
    const uint64_t slot = slots.slots[at].load(std::memory_order_acquire);
    if (slot == 0) {
      return std::nullopt;
    }
    if (slot >> 32 == hash) {
      const auto id = static_cast<uint32_t>(slot) - 1;
      if (Get(id) == bytes) {
        return id;
      }
    }
  }
}

uint32_t InternTable::Intern(std::string_view bytes) {
  const uint32_t hash = Hash(bytes);
  if (const auto found = Find(*slots_, hash & slots_->mask, hash, bytes)) {
    return *found;
  }
  const uint32_t id = size_.load(std::memory_order_relaxed);
  KINDRED_CHECK(id < UINT32_MAX - 1);
  if ((size_t{id} + 1) * 4 > slots_->count() * 3) {
    Grow();
  }
  Append(id, StoreBytes(bytes));
  slots_->Insert(hash, id);
  size_.store(id + 1, std::memory_order_release);
  return id;
}

const char* InternTable::StoreBytes(std::string_view bytes) {
  char* const stored = arena_.Allocate(LengthBytes(bytes.size()) + bytes.size());
  char* out = stored;
  size_t length = bytes.size();
  for (; length >= 0x80; length >>= 7) {
    *out++ = static_cast<char>(length | 0x80);
  }
  *out++ = static_cast<char>(length);
  if (!bytes.empty()) {
    std::memcpy(out, bytes.data(), bytes.size());
  }
  return stored;
}

void InternTable::Append(uint32_t id, const char* stored) {
  std::atomic<Chunk*>& chunk = chunks_[id >> kChunkBits];
  if (chunk.load(std::memory_order_relaxed) == nullptr) {
    chunk.store(new (arena_.Allocate(sizeof(Chunk), alignof(Chunk))) Chunk{}, std::memory_order_release);
  }
  (*chunk.load(std::memory_order_relaxed))[id & (kChunkSize - 1)] = stored;
}

// Readers that hold the old slots go on with them; they are freed with the last such view.
void InternTable::Grow() {
  auto grown = std::make_shared<Slots>(slots_->count() * 2);
  for (size_t i = 0; i < slots_->count(); ++i) {
    const uint64_t slot = slots_->slots[i].load(std::memory_order_relaxed);
    if (slot != 0) {
      grown->Insert(static_cast<uint32_t>(slot >> 32), static_cast<uint32_t>(slot) - 1);
    }
  }
  slots_bytes_.fetch_add(slots_->count() * sizeof(uint64_t), std::memory_order_relaxed);
  const std::scoped_lock lock(slots_mutex_);
  slots_ = std::move(grown);
}

}  // namespace kindred
