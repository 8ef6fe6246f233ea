#include "index/pairs/forward_graphs.h"

#include <algorithm>

namespace kindred {
namespace {

// A shard reads all rare lists, so it has to have many graphs.
constexpr size_t kShardGraphs = 8'192;
constexpr size_t kShardsMax = 16;

}  // namespace

ForwardGraphs::ForwardGraphs(const PairParts& parts, std::span<const uint32_t> numbers,
                             const ParallelFor& parallel_for)
    : parts_(parts), shards_(std::clamp<size_t>(numbers.size() / kShardGraphs, 1, kShardsMax)) {
  const FeatureTable& features = parts.features();
  std::vector<bool> is_first(features.size());
  for (uint32_t number = 0; number < features.colour_count(); ++number) {
    is_first[features.features(number).begin] = true;
  }
  for (auto& shard : shards_) {
    for (uint32_t part = 0; part < parts.part_count(); ++part) {
      shard.emplace_back(*parts.view(part).segment, features);
    }
  }
  for (const uint32_t number : numbers) {
    const PairParts::Place place = parts.Locate(number);
    shards_[Shard(number)][place.part].Want(place.slot);
  }
  parallel_for(shards_.size(), [&](size_t shard) {
    for (GraphExtractor& extractor : shards_[shard]) {
      extractor.Load(features, is_first);
    }
  });
}

}  // namespace kindred
