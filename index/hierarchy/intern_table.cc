#include "index/hierarchy/intern_table.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <random>
#include <utility>

#include "index/base/check.h"
#include "index/base/memory.h"
#include "index/hierarchy/keyed_hash.h"

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

// Most are of 8 to 20 bytes: too few for a call of memcmp to pay.
bool Equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) {
    return false;
  }
  if (a.size() < 8 || a.size() > 64) {
    return a == b;
  }
  const size_t last = a.size() - 8;
  for (size_t at = 0; at < last; at += 8) {
    if (keyed_hash::Load<uint64_t>(a.data() + at) != keyed_hash::Load<uint64_t>(b.data() + at)) {
      return false;
    }
  }
  return keyed_hash::Load<uint64_t>(a.data() + last) == keyed_hash::Load<uint64_t>(b.data() + last);
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
  for (size_t done = 0; done < strings.size(); done += kGroupMax) {
    const size_t size = std::min(kGroupMax, strings.size() - done);
    table_->FindGroup(*slots_, strings.subspan(done, size), found.subspan(done, size));
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
  return static_cast<uint32_t>(KeyedHash(key_.words, bytes)) & key_.mask;
}

// Each step asks for the memory the next one reads.
void InternTable::FindGroup(const Slots& slots, std::span<const std::string_view> strings,
                            std::span<std::optional<uint32_t>> found) const {
  std::array<Probe, kGroupMax> probes;
  for (size_t i = 0; i < strings.size(); ++i) {
    const uint32_t hash = Hash(strings[i]);
    probes[i] = {hash, hash & slots.mask, 0, nullptr};
    __builtin_prefetch(&slots.slots[probes[i].at]);
  }
  for (size_t i = 0; i < strings.size(); ++i) {
    // The slots passed by hold other hashes, and a slot in use never changes again.
    Probe& probe = probes[i];
    uint64_t slot = slots.slots[probe.at].load(std::memory_order_acquire);
    while (slot != 0 && slot >> 32 != probe.hash) {
      probe.at = (probe.at + 1) & slots.mask;
      slot = slots.slots[probe.at].load(std::memory_order_acquire);
    }
    if (slot != 0) {
      probe.id = static_cast<uint32_t>(slot) - 1;
      probe.cell = Cell(probe.id);
      __builtin_prefetch(probe.cell);
    }
  }
  for (size_t i = 0; i < strings.size(); ++i) {
    if (probes[i].cell != nullptr) {  // The first byte and, perhaps of the next line, the last.
      __builtin_prefetch(*probes[i].cell);
      __builtin_prefetch(*probes[i].cell + strings[i].size());
    }
  }
  for (size_t i = 0; i < strings.size(); ++i) {
    const Probe& probe = probes[i];
    if (probe.cell == nullptr) {
      found[i] = std::nullopt;
    } else if (Equal(ReadStored(*probe.cell), strings[i])) {
      found[i] = probe.id;
    } else {
      found[i] = Find(slots, (probe.at + 1) & slots.mask, probe.hash, strings[i]);
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
      if (Equal(Get(id), bytes)) {
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

void InternTable::Skip() {
  static constexpr char kNothing = 0;  // A length of 0.
  const uint32_t id = size_.load(std::memory_order_relaxed);
  KINDRED_CHECK(id < UINT32_MAX - 1);
  Append(id, &kNothing);
  size_.store(id + 1, std::memory_order_release);
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
