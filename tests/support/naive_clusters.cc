#include "tests/support/naive_clusters.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace kindred::test {
namespace {

// The documented unit of a sum: 2^-60, of the kernel 2^-30, as a whole number of them.
__extension__ using Sum = __int128;

Sum Units(double similarity, Measure measure) {
  return static_cast<Sum>(std::ldexp(similarity, measure == Measure::kKernel ? 30 : 60));
}

}  // namespace

std::vector<IdCluster> NaiveClusters(const NaivePairs& graphs, const PairQuestion& question, size_t size_min,
                                     size_t medoid_max) {
  std::map<std::string, size_t> places;
  std::map<std::string, std::set<std::string>> neighbours;
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (!graphs.removed(i)) {
      places[graphs.id(i)] = i;
      neighbours[graphs.id(i)];
    }
  }
  for (const IdPair& pair : graphs.Pairs(question)) {
    neighbours[pair.a].insert(pair.b);
    neighbours[pair.b].insert(pair.a);
  }
  std::set<std::string> seen;
  std::vector<IdCluster> clusters;
  for (const auto& [start, unused] : neighbours) {
    if (seen.contains(start)) {
      continue;
    }
    IdCluster cluster;
    std::vector<std::string> open{start};
    seen.insert(start);
    while (!open.empty()) {
      const std::string id = open.back();
      open.pop_back();
      cluster.members.push_back(id);
      for (const std::string& other : neighbours[id]) {
        if (seen.insert(other).second) {
          open.push_back(other);
        }
      }
    }
    std::ranges::sort(cluster.members);
    Sum best = -1;
    for (const std::string& id : cluster.members) {
      Sum sum = 0;
      for (const std::string& other : cluster.members) {
        const bool counts = cluster.members.size() <= medoid_max || neighbours[id].contains(other);
        if (other != id && counts) {
          sum += Units(graphs.Similarity(places[id], places[other], question), question.measure);
        }
      }
      if (sum > best) {
        best = sum;
        cluster.representative = id;
      }
    }
    if (cluster.members.size() >= size_min) {
      clusters.push_back(std::move(cluster));
    }
  }
  std::ranges::stable_sort(
      clusters, [](const IdCluster& a, const IdCluster& b) { return a.members.size() > b.members.size(); });
  return clusters;
}

}  // namespace kindred::test
