#include "tests/crash/daemon_audit.h"

#include <array>
#include <optional>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace kindred::test {
namespace {

// Findings beyond these would only bury the first ones.
constexpr int kShownMax = 10;

std::optional<v1::Record> Expected(const std::vector<Ledger>& ledgers, const std::string& id) {
  for (const Ledger& ledger : ledgers) {
    if (auto record = ledger.Stored(id)) {
      return record;
    }
  }
  return std::nullopt;
}

// Nothing when the record is what it should be.
std::string Difference(const std::vector<Ledger>& ledgers, const v1::Record& found) {
  const auto expected = Expected(ledgers, found.id());
  if (!expected) {
    return "should not be there";
  }
  if (found.payload() != expected->payload()) {
    return "is from " + found.payload() + ", not from " + expected->payload();
  }
  return found.SerializeAsString() == expected->SerializeAsString() ? "" : "has another graph or other tags";
}

// The hits alone: ids, kernels and similarities, bit for bit.
std::string HitsOf(client::Client& client, const v1::SearchRequest& request) {
  const auto answer = client.Search(request);
  EXPECT_TRUE(answer.ok()) << answer.status();
  v1::SearchResponse hits;
  if (answer.ok()) {
    *hits.mutable_hits() = answer->hits();
  }
  return hits.SerializeAsString();
}

}  // namespace

void ExpectHolds(client::Client& client, const std::vector<Ledger>& ledgers) {
  uint64_t expected = 0;
  for (const Ledger& ledger : ledgers) {
    expected += ledger.stored_count();
  }
  std::set<std::string> seen;
  int wrong = 0;
  const absl::Status exported = client.Export({}, [&](const v1::Record& record) {
    std::string difference = Difference(ledgers, record);
    if (!seen.insert(record.id()).second) {
      difference = "is there twice";
    }
    if (!difference.empty() && ++wrong <= kShownMax) {
      ADD_FAILURE() << record.id() << " " << difference;
    }
    return absl::OkStatus();
  });
  EXPECT_TRUE(exported.ok()) << exported;
  EXPECT_EQ(wrong, 0) << "records are not as the ledgers have them";
  EXPECT_EQ(seen.size(), expected) << "records, of all ledgers";
  const auto stats = client.Stats();
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->graphs(), expected) << "by the daemon's count";
}

void ExpectModesAgree(client::Client& client, const Molecules& queries) {
  constexpr std::array kMeasures{v1::MEASURE_TANIMOTO, v1::MEASURE_COSINE, v1::MEASURE_KERNEL};
  for (size_t i = 0; i < queries.size(); ++i) {
    v1::SearchRequest request;
    *request.mutable_graph() = queries[i];
    request.set_k(static_cast<uint32_t>(1 + i * 10));
    request.set_measure(kMeasures[i % kMeasures.size()]);
    request.set_mode(v1::SEARCH_MODE_PRUNED);
    const std::string pruned = HitsOf(client, request);
    request.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
    EXPECT_EQ(pruned, HitsOf(client, request)) << "query " << i << ": " << request.ShortDebugString();
  }
}

void ExpectVerifies(client::Client& client) {
  v1::VerifyResponse last;
  const absl::Status status = client.Verify([&](const v1::VerifyResponse& progress) {
    last = progress;
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(last.done());
  EXPECT_EQ(last.finding_count(), 0u) << last.ShortDebugString();
}

}  // namespace kindred::test
