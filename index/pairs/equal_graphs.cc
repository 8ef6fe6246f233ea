#include "index/pairs/equal_graphs.h"

#include <algorithm>
#include <bit>
#include <string>

#include "index/base/status.h"
#include "index/pairs/forward_graphs.h"

namespace kindred {
namespace {

struct Hashed {
  uint64_t hash = 0;
  uint32_t number = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): takes a 0 in what is generated for a pointer.
  friend auto operator<=>(const Hashed&, const Hashed&) = default;
};

uint64_t Mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

// By hash, then number.
std::vector<Hashed> HashGraphs(const PairParts& parts, const Sketches& sketches, const Lanes& lanes) {
  std::vector<Hashed> hashed;
  hashed.reserve(CountLanes(lanes));
  for (uint32_t part = 0; part < parts.part_count(); ++part) {
    const GraphTable& graphs = parts.view(part).segment->graphs();
    for (uint32_t block = 0; block < lanes[part].size(); ++block) {
      for (uint32_t left = lanes[part][block]; left != 0; left &= left - 1) {
        const uint32_t slot = block * kBlockGraphs + static_cast<uint32_t>(std::countr_zero(left));
        uint64_t hash = Mix(0, graphs.vertex_count(slot));
        for (const uint64_t word : sketches[parts.begin(part) + slot].words) {
          hash = Mix(hash, word);
        }
        hashed.push_back({hash, parts.begin(part) + slot});
      }
    }
  }
  std::ranges::sort(hashed);
  // Only those that share a hash.
  size_t kept = 0;
  for (size_t i = 0; i < hashed.size(); ++i) {
    const bool shared = (i > 0 && hashed[i - 1].hash == hashed[i].hash) ||
                        (i + 1 < hashed.size() && hashed[i + 1].hash == hashed[i].hash);
    if (shared) {
      hashed[kept++] = hashed[i];
    }
  }
  hashed.resize(kept);
  return hashed;
}

// The runs that count, as bytes: equal ones are equal histograms.
void AppendCounted(const FeatureTable& features, const PairBounds& bounds, std::span<const FeatureRun> runs,
                   std::string& bytes) {
  Level level = 0;
  for (const FeatureRun& run : runs) {
    while (run.first >= features.at_level(level).end) {
      ++level;
    }
    if (bounds.counts(level)) {
      bytes.append(reinterpret_cast<const char*>(&run), sizeof(run));
    }
  }
}

}  // namespace

absl::StatusOr<EqualGraphs> EqualGraphs::Find(const PairParts& parts, const PairBounds& bounds,
                                              const Sketches& sketches, uint64_t memory_max,
                                              const ParallelFor& parallel_for, const Interrupt& interrupt,
                                              Lanes& lanes) {
  const std::vector<Hashed> hashed = HashGraphs(parts, sketches, lanes);
  EqualGraphs equal;
  std::unordered_map<std::string, std::vector<uint32_t>> classes;  // Of one hash.
  const auto close_hash = [&] {
    for (const auto& [bytes, numbers] : classes) {
      if (numbers.size() == 1) {
        continue;
      }
      const size_t begin = equal.members_.size();
      equal.members_.insert(equal.members_.end(), numbers.begin(), numbers.end());
      equal.classes_.emplace(numbers.front(), std::pair(begin, equal.members_.size()));
      equal.repeated_.push_back(numbers.front());
      for (const uint32_t number : std::span(numbers).subspan(1)) {
        const PairParts::Place place = parts.Locate(number);
        uint16_t& mask = lanes[place.part][place.slot / kBlockGraphs];
        mask = static_cast<uint16_t>(mask & ~(1u << place.slot % kBlockGraphs));
      }
    }
    classes.clear();
  };
  std::string bytes;
  ForwardLists lists;
  for (size_t begin = 0; begin < hashed.size();) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    std::vector<uint32_t> numbers;
    for (uint64_t taken = 0; begin + numbers.size() < hashed.size() && taken < memory_max;) {
      numbers.push_back(hashed[begin + numbers.size()].number);
      taken += ForwardGraphs::Bytes(parts, parts.vertex_count(numbers.back()));
    }
    const ForwardGraphs graphs(parts, numbers, parallel_for);
    for (size_t i = 0; i < numbers.size(); ++i, ++begin) {
      if (begin > 0 && hashed[begin - 1].hash != hashed[begin].hash) {
        close_hash();
      }
      lists.Clear();
      graphs.AddTo(lists, numbers[i]);
      bytes.clear();
      AppendCounted(parts.features(), bounds, lists.graph(0), bytes);
      classes[bytes].push_back(numbers[i]);
    }
  }
  close_hash();
  return equal;
}

}  // namespace kindred
