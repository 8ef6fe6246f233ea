// Codecs of stored values: round trips, of random values and at the edges.

#include "index/store/codec.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kDataLoss;
using test::Must;
using test::StatusIs;

void ExpectSame(const StoredRecord& a, const StoredRecord& b) {
  EXPECT_EQ(a.external_id, b.external_id);
  EXPECT_TRUE(test::SameGraph(a.graph, b.graph));
  EXPECT_EQ(a.payload, b.payload);
  EXPECT_EQ(a.tags, b.tags);
}

std::string RandomBytes(test::Rng& rng, size_t most) {
  std::string bytes(test::Below(rng, most + 1), '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(rng());
  }
  return bytes;
}

TEST(RecordCodec, RandomRecordsComeBack) {
  constexpr uint64_t kSeed = 47;
  test::Rng rng(kSeed);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " round " + std::to_string(round));
    StoredRecord record{RandomBytes(rng, 512),
                        test::RandomGraph(rng, {.vertices_max = 40, .edge_labels = 5}),
                        RandomBytes(rng, 300),
                        {}};
    for (uint64_t tags = test::Below(rng, 4); tags > 0; --tags) {
      record.tags.emplace_back(RandomBytes(rng, 20), RandomBytes(rng, 200));
    }
    const auto decoded = DecodeRecord(EncodeRecord(record));
    ASSERT_THAT(decoded, IsOk());
    ExpectSame(*decoded, record);
    EXPECT_EQ(Must(DecodeRecordTags(EncodeRecord(record))), record.tags);
    const std::string bytes = EncodeRecord(record);
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_THAT(DecodeRecordTags(std::string_view(bytes).substr(0, size)), StatusIs(kDataLoss, "")) << size;
    }
    EXPECT_THAT(DecodeRecordTags(bytes + "x"), StatusIs(kDataLoss, ""));
  }
}

TEST(RecordCodec, KeepsRepeatedUnusedAndEmptyLabels) {
  const Graph graph = Must(Graph::Create({{"x", "x", "", "unused"}, {1, 0, 2}, {{2, 0, 1}}}, Limits()));
  const auto decoded = DecodeRecord(EncodeRecord({"id", graph, "", {}}));
  ASSERT_THAT(decoded, IsOk());
  EXPECT_TRUE(test::SameGraph(decoded->graph, graph));
}

TEST(RecordCodec, KeepsTheOrderAndRepetitionsOfTags) {
  const Tags tags{{"b", "1"}, {"a", "2"}, {"b", "3"}, {"", ""}};
  const auto decoded = DecodeRecord(EncodeRecord({"id", test::Isolated("C"), "", tags}));
  ASSERT_THAT(decoded, IsOk());
  EXPECT_EQ(decoded->tags, tags);
}

// What was admitted under any setting of the limits must be readable for ever.
TEST(RecordCodec, AGraphAtTheHighestLimitsComesBack) {
  GraphParts parts;
  parts.labels = {std::string(1 << 16, 'x')};
  parts.vertices.assign(1 << 20, 0);
  for (uint32_t v = 1; v < parts.vertices.size(); ++v) {
    parts.edges.push_back({0, v, 0});
  }
  const Graph graph = Must(Graph::Create(std::move(parts), HighestLimits()));
  const auto decoded = DecodeRecord(EncodeRecord({"id", graph, "", {}}));
  ASSERT_THAT(decoded, IsOk());
  EXPECT_TRUE(test::SameGraph(decoded->graph, graph));
}

// The empty label of unlabelled edges is added to the client's labels, beyond labels_max perhaps.
TEST(RecordCodec, AGraphWithAsManyLabelsAsAllowedAndUnlabelledEdgesComesBack) {
  GraphParts parts;
  const Limits highest = HighestLimits();
  for (uint64_t i = 0; i < highest.labels_max; ++i) {
    parts.labels.push_back(std::to_string(i));
  }
  parts.vertices = {0, 1};
  parts.edges = {{0, 1, GraphParts::kNoLabel}};
  const Graph graph = Must(Graph::Create(std::move(parts), highest));
  EXPECT_THAT(DecodeRecord(EncodeRecord({"id", graph, "", {}})), IsOk());
}

TEST(RecordCodec, TellsAMoleculeByItsVersion) {
  const std::string plain = EncodeRecord({"id", test::Isolated("C"), "", {}});
  const std::string molecule = EncodeRecord({"id", test::Isolated("C"), "", {}, true});
  EXPECT_EQ(plain[0], 1);
  EXPECT_EQ(molecule[0], 2);
  EXPECT_EQ(plain.substr(1), molecule.substr(1));
  EXPECT_FALSE(Must(DecodeRecord(plain)).is_molecule);
  EXPECT_TRUE(Must(DecodeRecord(molecule)).is_molecule);
}

TEST(RecordCodec, RefusesAnotherVersion) {
  std::string bytes = EncodeRecord({"id", test::Isolated("C"), "", {}});
  for (const char version : {0, 3, 127}) {
    bytes[0] = version;
    EXPECT_THAT(DecodeRecord(bytes), StatusIs(kDataLoss, "version"));
  }
  EXPECT_THAT(DecodeRecord(""), StatusIs(kDataLoss, ""));
}

TEST(RecordCodec, SaysWhatIsWrongWithADamagedGraph) {
  const std::string bytes = EncodeRecord({"i", test::MakeGraph({"C", "C"}, {{0, 1}}), "", {}});
  //  version, 1 "i", 2 labels: 1 "C", 0; 2 vertices: 0, 0; 1 edge: from 0, gap 1, label 1; 0, 0.
  ASSERT_EQ(bytes, std::string("\x01\x01i\x02\x01"
                               "C\x00\x02\x00\x00\x01\x00\x01\x01\x00\x00",
                               16));
  std::string self_loop = bytes;
  self_loop[12] = 0;
  EXPECT_THAT(DecodeRecord(self_loop), StatusIs(kDataLoss, "joins vertex 0 to itself"));
  std::string bad_label = bytes;
  bad_label[8] = 7;
  EXPECT_THAT(DecodeRecord(bad_label), StatusIs(kDataLoss, "vertices[0]: label 7"));
}

TEST(HistogramCodec, RandomHistogramsComeBackAtEveryDepth) {
  constexpr uint64_t kSeed = 53;
  test::Rng rng(kSeed);
  for (Level depth = 0; depth <= 5; ++depth) {
    ColourHierarchy hierarchy;
    for (int round = 0; round < 100; ++round) {
      const Histogram histogram = test::GrowHistogram(
          hierarchy, test::RandomGraph(rng, {.vertices_max = 12, .edge_probability = 0.15}), depth);
      const std::string id = RandomBytes(rng, 512);
      const auto decoded = DecodeHistogram(EncodeHistogram(id, histogram), depth);
      ASSERT_THAT(decoded, IsOk()) << "seed " << kSeed;
      ASSERT_EQ(decoded->external_id, id);
      ASSERT_EQ(decoded->histogram, histogram);
    }
  }
}

TEST(HistogramCodec, KeepsTheLargestColoursAndCounts) {
  const auto histogram =
      Histogram::FromLevels(UINT32_MAX, {{{ColourId{0}, UINT32_MAX - 1}, {ColourId{UINT32_MAX - 1}, 1}}});
  const auto decoded = DecodeHistogram(EncodeHistogram("id", *histogram), 0);
  ASSERT_THAT(decoded, IsOk());
  EXPECT_EQ(decoded->histogram, *histogram);
}

TEST(HistogramCodec, RefusesAnotherDepthOrVersion) {
  ColourHierarchy hierarchy;
  std::string bytes = EncodeHistogram("id", test::GrowHistogram(hierarchy, test::Path("CO"), 2));
  EXPECT_THAT(DecodeHistogram(bytes, 2), IsOk());
  EXPECT_THAT(DecodeHistogram(bytes, 1), StatusIs(kDataLoss, "depth"));
  EXPECT_THAT(DecodeHistogram(bytes, 3), StatusIs(kDataLoss, "depth"));
  bytes[0] = 9;
  EXPECT_THAT(DecodeHistogram(bytes, 2), StatusIs(kDataLoss, "version"));
}

TEST(HistogramCodec, RefusesColoursThatRunBeyond32Bits) {
  std::string bytes = "\x01\x01i\x02";          // Version, "i", 2 vertices,
  bytes += std::string("\x00\x02\x05\x01", 4);  // depth 0, 2 entries: colour 5, once,
  bytes += "\xff\xff\xff\xff\x0f\x01";          // then 2^32 - 1 further on, once.
  EXPECT_THAT(DecodeHistogram(bytes, 0), StatusIs(kDataLoss, ""));
}

TEST(HistogramCodec, RefusesAGraphWithoutVertices) {
  EXPECT_THAT(DecodeHistogram(std::string("\x01\x01i\x00\x00\x00", 6), 0), StatusIs(kDataLoss, ""));
}

}  // namespace
}  // namespace kindred
