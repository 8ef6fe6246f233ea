#include "bench/generated_molecules.h"

#include <random>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "index/base/check.h"
#include "index/base/limits.h"

namespace kindred::bench {
namespace {

class GeneratedSource : public MoleculeSource {
 public:
  explicit GeneratedSource(uint64_t seed) : rng_(seed) {}

  std::optional<StoredRecord> Next() override {
    // Most are near-copies of one of the latest scaffolds.
    if (scaffolds_.size() < kScaffolds || Below(kVariants) == 0) {
      GraphParts scaffold = Grow({kLabels, {0}, {}}, 14 + Below(18));
      if (scaffolds_.size() < kScaffolds) {
        scaffolds_.push_back(std::move(scaffold));
      } else {
        scaffolds_[Below(kScaffolds)] = std::move(scaffold);
      }
    }
    GraphParts parts = Grow(scaffolds_[Below(scaffolds_.size())], 1 + Below(6));
    auto graph = Graph::Create(std::move(parts), Limits());
    KINDRED_CHECK(graph.ok());
    return StoredRecord{fmt::format("generated-{:08}", next_++), *std::move(graph), "", {}};
  }

 private:
  static constexpr size_t kScaffolds = 500;
  static constexpr uint64_t kVariants = 40;
  enum Label : uint32_t { kCarbon, kNitrogen, kOxygen, kSulfur, kHalogen, kSingle, kDouble, kAromatic };
  inline static const std::vector<std::string> kLabels{"C", "N",      "O",      "S",
                                                       "F", "single", "double", "aromatic"};

  uint64_t Below(uint64_t n) { return rng_() % n; }

  uint32_t Atom() {
    const uint64_t dice = Below(20);
    return dice < 14 ? kCarbon
                     : (dice < 16 ? kNitrogen : (dice < 18 ? kOxygen : (dice < 19 ? kSulfur : kHalogen)));
  }

  // Adds about so many atoms, singly or as rings.
  GraphParts Grow(GraphParts parts, uint64_t atoms) {
    std::vector<uint32_t> degrees(parts.vertices.size());
    for (const GraphParts::Edge& edge : parts.edges) {
      ++degrees[edge.from];
      ++degrees[edge.to];
    }
    const auto add = [&](uint32_t to, uint32_t atom, uint32_t bond) {
      const auto added = static_cast<uint32_t>(parts.vertices.size());
      parts.vertices.push_back(atom);
      parts.edges.push_back({to, added, bond});
      degrees.push_back(1);
      ++degrees[to];
      return added;
    };
    const size_t wanted = parts.vertices.size() + atoms;
    while (parts.vertices.size() < wanted) {
      auto at = static_cast<uint32_t>(Below(parts.vertices.size()));
      while (degrees[at] > 2) {
        at = (at + 1) % static_cast<uint32_t>(parts.vertices.size());
      }
      if (wanted - parts.vertices.size() < 6 || Below(3) > 0) {
        add(at, Atom(), Below(6) == 0 ? kDouble : kSingle);
        continue;
      }
      const uint32_t first = add(at, kCarbon, kSingle);
      uint32_t last = first;
      for (int i = 0; i < 5; ++i) {
        last = add(last, Below(6) == 0 ? kNitrogen : kCarbon, kAromatic);
      }
      parts.edges.push_back({first, last, kAromatic});
      ++degrees[first];
      ++degrees[last];
    }
    return parts;
  }

  std::mt19937_64 rng_;
  std::vector<GraphParts> scaffolds_;
  uint64_t next_ = 0;
};

}  // namespace

std::unique_ptr<MoleculeSource> GeneratedMolecules(uint64_t seed) {
  return std::make_unique<GeneratedSource>(seed);
}

}  // namespace kindred::bench
