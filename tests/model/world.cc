#include "tests/model/world.h"

#include <algorithm>

namespace kindred::test {

std::vector<std::string> World::InOrder() const {
  std::map<uint64_t, std::string> by_commit;
  for (const auto& [id, record] : records_) {
    by_commit[record.sequence] = id;
  }
  std::vector<std::string> ids;
  for (const auto& [sequence, id] : by_commit) {
    ids.push_back(id);
  }
  return ids;
}

v1::Outcome::Kind World::Put(const std::string& id, const KeptRecord& record, v1::WriteMode mode) {
  const bool exists = contains(id);
  if ((exists && mode == v1::WRITE_MODE_INSERT) || (!exists && mode == v1::WRITE_MODE_REPLACE)) {
    return v1::Outcome::REJECTED;
  }
  records_.insert_or_assign(id, record).first->second.sequence = ++sequence_;
  model_.Put(id, record.graph);
  recommend_.Put(id, record.graph);
  return exists ? v1::Outcome::REPLACED : v1::Outcome::INSERTED;
}

v1::Outcome::Kind World::Delete(const std::string& id) {
  if (records_.erase(id) == 0) {
    return v1::Outcome::REJECTED;
  }
  model_.Delete(id);
  recommend_.Delete(id);
  ++sequence_;
  return v1::Outcome::DELETED;
}

std::vector<Hit> World::Search(const Graph& query, const ModelQuery& how, const Matches& matches,
                               const std::set<std::string>& excluded) const {
  ModelQuery all = how;
  all.k = static_cast<uint32_t>(records_.size()) + 1;
  std::vector<Hit> hits = model_.Search(query, all);
  std::erase_if(
      hits, [&](const Hit& hit) { return excluded.contains(hit.id) || !matches(records_.at(hit.id).tags); });
  return hits;
}

std::vector<RecommendHit> World::Recommend(const ModelTaste& taste, const Matches& matches) const {
  ModelTaste matching = taste;
  for (const auto& [id, record] : records_) {
    if (!matches(record.tags)) {
      matching.excluded.insert(id);
    }
  }
  return recommend_.Recommend(matching);
}

std::optional<ClosestGraph> World::Closest(const Graph& graph, const NoveltyParts& rule,
                                           const Matches& matches) const {
  return ClosestByDefinition(model_, depth_, graph, rule,
                             [&](const std::string& id) { return matches(records_.at(id).tags); });
}

NaivePairs World::Pairs(const Matches& matches) const {
  NaivePairs pairs(depth_);
  for (const auto& [id, record] : records_) {
    if (matches(record.tags)) {
      pairs.Add(id, record.graph);
    }
  }
  return pairs;
}

}  // namespace kindred::test
