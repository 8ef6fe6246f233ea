// Damaged values: every truncation and every change of one byte is refused as DATA_LOSS or decodes to
// something valid. Nothing crashes, nothing allocates by a damaged count.

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/store/codec.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Must;

constexpr Level kDamageDepth = 2;

// Decodes; on success encodes and decodes again, and returns whether that gave the same. So a value that
// comes back is one the encoder could have been given.
using RoundTrip = std::function<absl::StatusOr<bool>(std::string_view)>;

absl::StatusOr<bool> RecordRoundTrip(std::string_view bytes) {
  const auto record = DecodeRecord(bytes);
  if (!record.ok()) {
    return record.status();
  }
  const StoredRecord again = Must(DecodeRecord(EncodeRecord(*record)));
  return record->graph.vertex_count() > 0 && test::SameGraph(record->graph, again.graph) &&
         record->external_id == again.external_id && record->payload == again.payload &&
         record->tags == again.tags;
}

absl::StatusOr<bool> HistogramRoundTrip(std::string_view bytes) {
  const auto stored = DecodeHistogram(bytes, kDamageDepth);
  if (!stored.ok()) {
    return stored.status();
  }
  const std::string encoded = EncodeHistogram(stored->external_id, stored->histogram);
  const StoredHistogram again = Must(DecodeHistogram(encoded, kDamageDepth));
  return stored->histogram.vertex_count() > 0 && stored->external_id == again.external_id &&
         stored->histogram == again.histogram;
}

struct Damaged {
  const char* name;
  RoundTrip round_trip;
  std::vector<std::string> values;
};

std::vector<std::string> Records() {
  test::Rng rng(61);
  return {EncodeRecord({"i", test::Isolated("C"), "", {}}),
          EncodeRecord({"some id",
                        test::MakeGraph({"C", "N", "C"}, {{0, 1, "="}, {1, 2}}),
                        "payload",
                        {{"k", "v"}, {"key", ""}}}),
          EncodeRecord({"x", test::RandomGraph(rng, {.vertices_min = 9, .vertices_max = 9}), "p", {}})};
}

std::vector<std::string> Histograms() {
  test::Rng rng(67);
  ColourHierarchy hierarchy;
  std::vector<std::string> values;
  for (int i = 0; i < 20; ++i) {
    values.push_back(
        EncodeHistogram("id", test::GrowHistogram(hierarchy, test::RandomGraph(rng), kDamageDepth)));
  }
  return {values.begin() + 17, values.end()};  // With colours of two bytes.
}

class CodecDamage : public ::testing::TestWithParam<Damaged> {
 protected:
  // True: it decoded.
  bool ExpectRefusedOrValid(const std::string& bytes) const {
    const absl::StatusOr<bool> same = GetParam().round_trip(bytes);
    if (!same.ok()) {
      EXPECT_EQ(same.status().code(), absl::StatusCode::kDataLoss) << same.status();
      return false;
    }
    EXPECT_TRUE(*same) << ::testing::PrintToString(bytes);
    return true;
  }
};

INSTANTIATE_TEST_SUITE_P(Values, CodecDamage,
                         ::testing::Values(Damaged{"Record", RecordRoundTrip, Records()},
                                           Damaged{"Histogram", HistogramRoundTrip, Histograms()}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(CodecDamage, TheUndamagedValuesDecode) {
  for (const std::string& value : GetParam().values) {
    EXPECT_TRUE(ExpectRefusedOrValid(value));
  }
}

TEST_P(CodecDamage, EveryTruncationIsRefused) {
  for (const std::string& value : GetParam().values) {
    for (size_t bytes = 0; bytes < value.size(); ++bytes) {
      ASSERT_FALSE(ExpectRefusedOrValid(value.substr(0, bytes))) << bytes << " of " << value.size();
    }
  }
}

TEST_P(CodecDamage, BytesAfterTheEndAreRefused) {
  for (const std::string& value : GetParam().values) {
    for (int byte = 0; byte < 256; ++byte) {
      ASSERT_FALSE(ExpectRefusedOrValid(value + static_cast<char>(byte)));
    }
  }
}

TEST_P(CodecDamage, EveryChangeOfOneByteIsRefusedOrValid) {
  size_t refused = 0;
  for (const std::string& value : GetParam().values) {
    for (size_t at = 0; at < value.size(); ++at) {
      for (int change = 1; change < 256; ++change) {
        std::string damaged = value;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        refused += ExpectRefusedOrValid(damaged) ? 0 : 1;
        ASSERT_FALSE(HasFailure()) << "byte " << at << " ^ " << change;
      }
    }
  }
  EXPECT_GT(refused, 10'000u);
}

TEST_P(CodecDamage, RandomDamageToManyBytesIsRefusedOrValid) {
  constexpr uint64_t kSeed = 73;
  test::Rng rng(kSeed);
  for (int round = 0; round < 20'000; ++round) {
    const auto& values = GetParam().values;
    std::string damaged = values[test::Below(rng, values.size())];
    for (uint64_t changes = 1 + test::Below(rng, 6); changes > 0; --changes) {
      damaged[test::Below(rng, damaged.size())] = static_cast<char>(rng());
    }
    if (test::Below(rng, 4) == 0) {
      damaged.insert(test::Below(rng, damaged.size()), 1, static_cast<char>(rng()));
    }
    ExpectRefusedOrValid(damaged);
    ASSERT_FALSE(HasFailure()) << "seed " << kSeed << " round " << round;
  }
}

}  // namespace
}  // namespace kindred
