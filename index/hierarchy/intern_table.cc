#include "index/hierarchy/intern_table.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "highwayhash/c_bindings.h"
#include "index/base/check.h"

namespace kindred {

// Open addressing with linear probing. A slot holds hash << 32 | id + 1, or 0 when it is free. A slot is
// written once; its release store publishes the bytes behind it.
struct InternTable::Slots {
  explicit Slots(size_t count) : mask(count - 1), slots(new std::atomic<uint64_t>[count]) {
    for (size_t i = 0; i < count; ++i) {
      slots[i].store(0, std::memory_order_relaxed);
    }
  }

  size_t count() const { return mask + 1; }

  void Insert(uint32_t hash, uint32_t id) {
    size_t at = hash & mask;
    while (slots[at].load(std::memory_order_relaxed) != 0) {
      at = (at + 1) & mask;
    }
    slots[at].store(uint64_t{hash} << 32 | (id + 1), std::memory_order_release);
  }

  const size_t mask;
  const std::unique_ptr<std::atomic<uint64_t>[]> slots;
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
  return table_->Find(*slots_, table_->Hash(bytes), bytes);
}

InternTable::InternTable(HashKey key)
    : key_(key),
      slots_(std::make_shared<Slots>(kSlotsAtStart)),
      chunks_(new std::atomic<Chunk*>[kChunksMax]()) {
  memory_bytes_ = kSlotsAtStart * sizeof(uint64_t);
}

InternTable::~InternTable() {
  for (size_t i = 0; i < kChunksMax && chunks_[i].load() != nullptr; ++i) {
    delete chunks_[i].load();
  }
}

InternTable::View InternTable::view() const {
  const std::scoped_lock lock(slots_mutex_);
  return {this, slots_};
}

std::string_view InternTable::Get(uint32_t id) const {
  const Chunk& chunk = *chunks_[id >> kChunkBits].load(std::memory_order_acquire);
  return ReadStored(chunk[id & (kChunkSize - 1)]);
}

uint32_t InternTable::Hash(std::string_view bytes) const {
  const uint64_t hash = SipHash13C(key_.words.data(), bytes.data(), bytes.size());
  return static_cast<uint32_t>(hash) & key_.mask;
}

std::optional<uint32_t> InternTable::Find(const Slots& slots, uint32_t hash, std::string_view bytes) const {
  for (size_t at = hash & slots.mask;; at = (at + 1) & slots.mask) {
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
  if (const auto found = Find(*slots_, hash, bytes)) {
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
  const size_t needed = LengthBytes(bytes.size()) + bytes.size();
  if (needed > arena_left_) {
    const size_t size = std::max(needed, kArenaBytes);
    arenas_.push_back(std::make_unique<char[]>(size));
    arena_next_ = arenas_.back().get();
    arena_left_ = size;
    memory_bytes_.fetch_add(size, std::memory_order_relaxed);
  }
  char* const stored = arena_next_;
  char* out = stored;
  size_t length = bytes.size();
  for (; length >= 0x80; length >>= 7) {
    *out++ = static_cast<char>(length | 0x80);
  }
  *out++ = static_cast<char>(length);
  if (!bytes.empty()) {
    std::memcpy(out, bytes.data(), bytes.size());
  }
  arena_next_ += needed;
  arena_left_ -= needed;
  return stored;
}

void InternTable::Append(uint32_t id, const char* stored) {
  std::atomic<Chunk*>& chunk = chunks_[id >> kChunkBits];
  if (chunk.load(std::memory_order_relaxed) == nullptr) {
    chunk.store(new Chunk{}, std::memory_order_release);
    memory_bytes_.fetch_add(sizeof(Chunk), std::memory_order_relaxed);
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
  memory_bytes_.fetch_add(slots_->count() * sizeof(uint64_t), std::memory_order_relaxed);
  const std::scoped_lock lock(slots_mutex_);
  slots_ = std::move(grown);
}

}  // namespace kindred
