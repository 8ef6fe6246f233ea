#include "index/engine/id_index.h"

#include <algorithm>

#include "index/hierarchy/keyed_hash.h"

namespace kindred {
namespace {

constexpr size_t kPlacesAtStart = 1 << 10;

// At most three places in four are in use: a search for what is not there then ends soon.
bool Enough(uint64_t places, uint64_t used) { return used <= places / 4 * 3; }

}  // namespace

IdIndex::IdIndex(HashKey key) : key_(key), places_(std::make_shared<Places>(kPlacesAtStart)) {
  memory_bytes_ = kPlacesAtStart * (sizeof(uint32_t) + sizeof(uint64_t));
}

uint32_t IdIndex::HashOf(const HashKey& key, std::string_view external_id) {
  // Not kFree.
  return std::max<uint32_t>(static_cast<uint32_t>(KeyedHash(key.words, external_id)) & key.mask, 1);
}

void IdIndex::View::Prefetch(std::string_view external_id) const {
  if (places_ != nullptr) {
    __builtin_prefetch(&places_->hashes[places_->Home(HashOf(key_, external_id))]);
  }
}

void IdIndex::MakeRoom(uint64_t ids, uint64_t live, const std::function<bool(GraphId)>& is_live) {
  if (Enough(places_->size(), used_ + ids)) {
    return;
  }
  const bool drop_outdated = used_ > live + live / 2;
  const uint64_t wanted = (drop_outdated ? live : used_) + ids;
  size_t size = places_->size();
  while (!Enough(size, wanted + wanted / 8)) {
    size += size / 2;
  }
  const auto grown = std::make_shared<Places>(size);
  uint64_t kept = 0;
  for (size_t at = 0; at < places_->size(); ++at) {
    const uint32_t hash = places_->hashes[at].load(std::memory_order_relaxed);
    if (hash != kFree && (!drop_outdated || is_live(places_->graph(at)))) {
      grown->Fill(grown->ForEach(hash, [](size_t) { return true; }), hash, places_->graph(at));
      ++kept;
    }
  }
  places_ = grown;
  used_ = kept;
  memory_bytes_ = size * (sizeof(uint32_t) + sizeof(uint64_t));
}

}  // namespace kindred
