// Where a page goes on, and what comes with hits: what is refused, at the edges of each limit.

#include "index/engine/hit_fields.h"

#include <cmath>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Ask;
using test::EngineHarness;
using test::IsOk;
using test::kInvalid;
using test::kResourceExhausted;
using test::Must;
using test::Path;
using test::PutOf;
using test::StatusIs;

class HitPages : public ::testing::Test {
 protected:
  HitPages() {
    for (const char* id : {"a", "b", "c"}) {
      harness_.Put(id, Path("CCO"));
    }
    harness_.Put("longer", Path("CCCO"));
  }

  absl::StatusOr<SearchReply> After(const Hit& hit, Measure measure = Measure::kTanimoto,
                                    std::vector<double> weights = {}) {
    SearchRequest request = Ask(Path("CCO"), 2, measure);
    request.weights = std::move(weights);
    request.after = hit;
    return harness_.Search(request);
  }

  EngineHarness harness_;
};

TEST_F(HitPages, GoOnBehindAHitWhetherItIsStillThereOrNot) {
  EXPECT_EQ(Must(After({"a", 12, 1.0, 3})).answer.hits[0].id, "b");
  EXPECT_EQ(Must(After({"aa", 12, 1.0, 3})).answer.hits[0].id, "b");
  EXPECT_EQ(Must(After({"c", 12, 1.0, 3})).answer.hits[0].id, "longer");
  harness_.Delete("b");
  EXPECT_EQ(Must(After({"b", 12, 1.0, 3})).answer.hits[0].id, "c");
  const Hit last = Must(After({"c", 12, 1.0, 3})).answer.hits[0];
  EXPECT_TRUE(Must(After(last)).answer.hits.empty());
}

TEST_F(HitPages, RefuseAHitThatTheQueryCouldNotHaveHad) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(After({"", 12, 1.0, 3}), StatusIs(kInvalid, "after.id: has 0 bytes"));
  EXPECT_THAT(After({std::string(512, 'x'), 12, 1.0, 3}), IsOk());
  EXPECT_THAT(After({std::string(513, 'x'), 12, 1.0, 3}), StatusIs(kInvalid, "after.id: has 513 bytes"));
  EXPECT_THAT(After({"a", 12, 1.0, 0}), StatusIs(kInvalid, "after.vertices: 0 is not between 1 and 1048576"));
  EXPECT_THAT(After({"a", 0, 0, 1 << 20}), IsOk());
  EXPECT_THAT(After({"a", 0, 0, (1 << 20) + 1}), StatusIs(kInvalid, "after.vertices: 1048577"));
  for (const double kernel : {-1.0, 13.0, nan, infinity, -infinity}) {
    EXPECT_THAT(After({"a", kernel, 1.0, 3}), StatusIs(kInvalid, "after.kernel: ")) << kernel;
  }
  EXPECT_THAT(After({"a", 5, 0.5, 1}), StatusIs(kInvalid, "after.kernel: 5 is not that of a hit"));
  EXPECT_THAT(After({"a", 11.5, 1.0, 3}), StatusIs(kInvalid, "after.kernel: 11.5 is no integer"));
  for (const double similarity : {0.5, std::nextafter(1.0, 0.0), nan}) {
    EXPECT_THAT(After({"a", 12, similarity, 3}), StatusIs(kInvalid, "after.similarity: ")) << similarity;
  }
  EXPECT_THAT(After({"a", 12, 1.0, 3}, Measure::kKernel), StatusIs(kInvalid, "after.similarity: 1 is not"));
  EXPECT_THAT(After({"a", 12, 12, 3}, Measure::kKernel), IsOk());
}

TEST_F(HitPages, TakeAnyKernelWhereWeightsAreNoIntegers) {
  const std::vector<double> weights{0.1, 0.2, 0.3, 0.4};
  SearchRequest request = Ask(Path("CCO"), 4);
  request.weights = weights;
  const std::vector<Hit> hits = harness_.Hits(request);
  ASSERT_EQ(hits.size(), 4u);
  EXPECT_EQ(hits[0].similarity, 1.0);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(Must(After(hits[i], Measure::kTanimoto, weights)).answer.hits[0], hits[i + 1]);
  }
}

TEST(HitFields, ComeFromTheSnapshotOfTheSearchUpToALimit) {
  EngineOptions options;
  options.limits.message_bytes_max = 1024;
  EngineHarness harness(options);
  for (const char* id : {"a", "b"}) {
    Mutation put = PutOf(id, Path("CCO"));
    (*put.record)->payload = std::string(500, 'p');
    (*put.record)->tags = {{"key", "sevenby"}, {"a", ""}};
    harness.Write({put});
  }
  SearchRequest request = Ask(Path("CCO"));
  EXPECT_TRUE(Must(harness.Search(request)).fields.empty());
  request.fields = WantedFields::kPayload;
  auto fields = Must(harness.Search(request)).fields;
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[1].payload, std::string(500, 'p'));
  EXPECT_TRUE(fields[1].tags.empty());
  request.fields = WantedFields::kTags;
  fields = Must(harness.Search(request)).fields;
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].payload, "");
  EXPECT_EQ(fields[0].tags, (Tags{{"key", "sevenby"}, {"a", ""}}));
  request.fields = WantedFields::kBoth;
  EXPECT_THAT(harness.Search(request), IsOk()) << "2 times 511 bytes";
  Mutation put = PutOf("c", Path("CCO"));
  (*put.record)->payload = "12";
  harness.Write({put});
  EXPECT_THAT(harness.Search(request), IsOk()) << "exactly 1024";
  (*put.record)->payload = "123";
  harness.Write({put});
  EXPECT_THAT(
      harness.Search(request),
      StatusIs(kResourceExhausted, "bytes of the answer: 1025 is over the limit message_bytes_max = 1024"));
}

TEST(ExcludedIds, AtTheirLimit) {
  EngineOptions options;
  options.limits.exclude_max = 2;
  EngineHarness harness(options);
  for (const char* id : {"a", "b", "c", "d"}) {
    harness.Put(id, Path("CCO"));
  }
  for (const SearchMode mode : {SearchMode::kPruned, SearchMode::kExhaustive}) {
    SearchRequest request = Ask(Path("CCO"), 1);
    request.mode = mode;
    request.excluded = {"b", "a"};
    EXPECT_EQ(harness.Hits(request).at(0).id, "c");
    request.excluded = {"nobody", "a"};
    EXPECT_EQ(harness.Hits(request).at(0).id, "b");
    request.excluded = {"a", "b", "c"};
    EXPECT_THAT(harness.Search(request),
                StatusIs(kResourceExhausted, "exclude_ids: 3 is over the limit exclude_max = 2"));
  }
}

}  // namespace
}  // namespace kindred
