// ColourHierarchy: parents, levels and counts; exactness under collisions; restoring what was stored.

#include "index/hierarchy/colour_hierarchy.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "index/hierarchy/refinement.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kDataLoss;
using test::StatusIs;

std::string Encoded(const Signature& signature) {
  std::string out;
  EncodeSignature(signature, out);
  return out;
}

std::string EncodedLabel(uint32_t label) { return Encoded({0, LabelId{label}, {}, {}}); }

std::string EncodedArms(Level level, uint32_t parent, std::vector<Arm> arms) {
  return Encoded({level, {}, ColourId{parent}, std::move(arms)});
}

TEST(ColourHierarchy, KnowsLevelParentAndSignatureOfEveryColour) {
  ColourHierarchy hierarchy;
  EXPECT_EQ(hierarchy.InternLabel("C"), LabelId{0});
  EXPECT_EQ(hierarchy.InternLabel(""), LabelId{1});
  const ColourId carbon = hierarchy.InternColour(EncodedLabel(0));
  const ColourId end = hierarchy.InternColour(EncodedArms(1, Raw(carbon), {{LabelId{1}, carbon}}));
  const ColourId deeper = hierarchy.InternColour(EncodedArms(2, Raw(end), {{LabelId{1}, end}}));
  EXPECT_EQ(hierarchy.level(carbon), 0);
  EXPECT_EQ(hierarchy.level(end), 1);
  EXPECT_EQ(hierarchy.level(deeper), 2);
  EXPECT_EQ(hierarchy.parent(carbon), std::nullopt);
  EXPECT_EQ(hierarchy.parent(end), carbon);
  EXPECT_EQ(hierarchy.parent(deeper), end);
  EXPECT_EQ(hierarchy.signature(carbon), EncodedLabel(0));
  EXPECT_EQ(hierarchy.label(LabelId{0}), "C");
}

TEST(ColourHierarchy, CountsEachColourOnceAtItsLevel) {
  ColourHierarchy hierarchy;
  hierarchy.InternLabel("C");
  hierarchy.InternLabel("N");
  for (int twice = 0; twice < 2; ++twice) {
    hierarchy.InternColour(EncodedLabel(0));
    hierarchy.InternColour(EncodedLabel(1));
    hierarchy.InternColour(EncodedArms(1, 0, {}));
  }
  EXPECT_EQ(hierarchy.label_count(), 2u);
  EXPECT_EQ(hierarchy.colour_count(), 3u);
  EXPECT_EQ(hierarchy.colour_count(0), 2u);
  EXPECT_EQ(hierarchy.colour_count(1), 1u);
  EXPECT_EQ(hierarchy.colour_count(2), 0u);
}

TEST(ColourHierarchy, AViewFindsWhatExistsAndNothingElse) {
  ColourHierarchy hierarchy;
  const LabelId label = hierarchy.InternLabel("C");
  const ColourId colour = hierarchy.InternColour(EncodedLabel(0));
  const ColourHierarchy::View view = hierarchy.view();
  EXPECT_EQ(view.FindLabel("C"), label);
  EXPECT_EQ(view.FindLabel("N"), std::nullopt);
  EXPECT_EQ(view.FindColour(EncodedLabel(0)), colour);
  EXPECT_EQ(view.FindColour(EncodedLabel(1)), std::nullopt);
}

class HierarchyCollisions : public ::testing::TestWithParam<uint32_t> {};

TEST_P(HierarchyCollisions, CollidingHashesChangeNoColour) {
  constexpr uint64_t kSeed = 3;
  constexpr Level kDepth = 3;
  test::Rng rng(kSeed);
  const std::vector<Graph> graphs = test::RandomGraphs(rng, 80, {.vertices_max = 10, .vertex_labels = 3});
  ColourHierarchy plain;
  ColourHierarchy colliding(HashKey{{1, 2}, GetParam()});
  for (size_t i = 0; i < graphs.size(); ++i) {
    VertexColours expected(graphs[i].vertex_count(), kDepth);
    IssueMissing(plain, graphs[i], expected);
    VertexColours colours = RefineKnown(colliding.view(), graphs[i], kDepth);
    IssueMissing(colliding, graphs[i], colours);
    for (Level level = 0; level <= kDepth; ++level) {
      ASSERT_TRUE(std::ranges::equal(colours.at_level(level), expected.at_level(level)))
          << "graph " << i << " level " << int{level} << " seed " << kSeed;
    }
  }
  EXPECT_EQ(colliding.colour_count(), plain.colour_count());
  EXPECT_GT(plain.colour_count(), 500u);
}

INSTANTIATE_TEST_SUITE_P(Masks, HierarchyCollisions, ::testing::Values(0u, 3u, 0xffu));

// Label 0 and 1; colours 0 and 1 at level 0, colour 2 at level 1, colour 3 at level 2.
class HierarchyRestore : public ::testing::Test {
 protected:
  HierarchyRestore() {
    EXPECT_THAT(hierarchy_.RestoreLabel(LabelId{0}, "C"), IsOk());
    EXPECT_THAT(hierarchy_.RestoreLabel(LabelId{1}, "N"), IsOk());
    EXPECT_THAT(hierarchy_.RestoreColour(ColourId{0}, EncodedLabel(0)), IsOk());
    EXPECT_THAT(hierarchy_.RestoreColour(ColourId{1}, EncodedLabel(1)), IsOk());
    EXPECT_THAT(hierarchy_.RestoreColour(ColourId{2}, EncodedArms(1, 0, {{LabelId{1}, ColourId{1}}})),
                IsOk());
    EXPECT_THAT(hierarchy_.RestoreColour(ColourId{3}, EncodedArms(2, 2, {{LabelId{1}, ColourId{2}}})),
                IsOk());
  }
  ~HierarchyRestore() override {
    EXPECT_EQ(hierarchy_.label_count(), 2u) << "a refused label was added";
    EXPECT_EQ(hierarchy_.colour_count(), 4u) << "a refused colour was added";
  }

  absl::Status Restore(const std::string& signature) {
    return hierarchy_.RestoreColour(ColourId{4}, signature);
  }

  ColourHierarchy hierarchy_;
};

TEST_F(HierarchyRestore, GivesBackWhatWasStored) {
  EXPECT_EQ(hierarchy_.label(LabelId{1}), "N");
  EXPECT_EQ(hierarchy_.view().FindColour(EncodedLabel(1)), ColourId{1});
  EXPECT_EQ(hierarchy_.parent(ColourId{3}), ColourId{2});
  EXPECT_EQ(hierarchy_.colour_count(0), 2u);
  EXPECT_EQ(hierarchy_.colour_count(1), 1u);
  EXPECT_EQ(hierarchy_.colour_count(2), 1u);
}

TEST_F(HierarchyRestore, RefusesIdsOutOfOrder) {
  EXPECT_THAT(hierarchy_.RestoreLabel(LabelId{3}, "O"),
              StatusIs(kDataLoss, "label 3 is stored where label 2"));
  EXPECT_THAT(hierarchy_.RestoreLabel(LabelId{1}, "O"),
              StatusIs(kDataLoss, "label 1 is stored where label 2"));
  EXPECT_THAT(hierarchy_.RestoreColour(ColourId{5}, EncodedArms(1, 1, {})),
              StatusIs(kDataLoss, "colour 5 is stored where colour 4"));
  EXPECT_THAT(hierarchy_.RestoreColour(ColourId{3}, EncodedArms(1, 1, {})),
              StatusIs(kDataLoss, "colour 3 is stored where colour 4"));
}

TEST_F(HierarchyRestore, RefusesWhatIsStoredTwice) {
  EXPECT_THAT(hierarchy_.RestoreLabel(LabelId{2}, "C"), StatusIs(kDataLoss, "label 2 is stored twice"));
  EXPECT_THAT(Restore(EncodedLabel(1)), StatusIs(kDataLoss, "colour 4 is stored twice"));
}

TEST_F(HierarchyRestore, RefusesBytesThatAreNoSignature) {
  EXPECT_THAT(Restore("\x01"), StatusIs(kDataLoss, "does not decode"));
  EXPECT_THAT(Restore(std::string("\x01\x80\0", 3)), StatusIs(kDataLoss, "canonical"));
}

// Without a signature: a colour that was reclaimed.
TEST(HierarchyReclaimed, KeepsItsIdAndNamesNothing) {
  ColourHierarchy hierarchy;
  ASSERT_THAT(hierarchy.RestoreLabel(LabelId{0}, "C"), IsOk());
  ASSERT_THAT(hierarchy.RestoreColour(ColourId{0}, ""), IsOk());
  EXPECT_TRUE(hierarchy.reclaimed(ColourId{0}));
  EXPECT_EQ(hierarchy.reclaimed_count(), 1u);
  EXPECT_EQ(hierarchy.colour_count(0), 0u);
  EXPECT_THAT(hierarchy.RestoreColour(ColourId{1}, EncodedArms(1, 0, {})),
              StatusIs(kDataLoss, "has parent 0"));
  EXPECT_EQ(hierarchy.InternColour(EncodedLabel(0)), ColourId{1});
  EXPECT_EQ(hierarchy.view().FindColour(EncodedLabel(0)), ColourId{1});
  EXPECT_EQ(hierarchy.view().FindColour(""), std::nullopt);
}

TEST_F(HierarchyRestore, RefusesALabelThatDoesNotExist) {
  EXPECT_THAT(Restore(EncodedLabel(2)), StatusIs(kDataLoss, "names label 2, which does not exist"));
}

TEST_F(HierarchyRestore, RefusesAParentThatIsMissingOrOfAnotherLevel) {
  EXPECT_THAT(Restore(EncodedArms(1, 4, {})),
              StatusIs(kDataLoss, "colour 4 of level 1 has parent 4"));  // Itself.
  EXPECT_THAT(Restore(EncodedArms(1, 99, {})), StatusIs(kDataLoss, "has parent 99"));
  EXPECT_THAT(Restore(EncodedArms(1, 2, {})), StatusIs(kDataLoss, "has parent 2"));
  EXPECT_THAT(Restore(EncodedArms(2, 0, {})), StatusIs(kDataLoss, "has parent 0"));
  EXPECT_THAT(Restore(EncodedArms(1, 3, {})), StatusIs(kDataLoss, "has parent 3"));
}

TEST_F(HierarchyRestore, RefusesAnArmThatIsMissingOrOfAnotherLevel) {
  EXPECT_THAT(Restore(EncodedArms(1, 0, {{LabelId{2}, ColourId{0}}})), StatusIs(kDataLoss, "edge label 2"));
  EXPECT_THAT(Restore(EncodedArms(1, 0, {{LabelId{0}, ColourId{4}}})), StatusIs(kDataLoss, "colour 4"));
  EXPECT_THAT(Restore(EncodedArms(1, 0, {{LabelId{0}, ColourId{2}}})), StatusIs(kDataLoss, "colour 2"));
  EXPECT_THAT(Restore(EncodedArms(2, 2, {{LabelId{0}, ColourId{1}}, {LabelId{0}, ColourId{2}}})),
              StatusIs(kDataLoss, "colour 1"));
}

}  // namespace
}  // namespace kindred
