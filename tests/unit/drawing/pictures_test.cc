// The pictures: well-formed, with all that should be in them, and with what was asked for in the right
// colours.

#include <string>

#include "client/drawing/assignment_picture.h"
#include "client/drawing/neighbours_picture.h"
#include "client/drawing/palette.h"
#include "client/drawing/svg_page.h"
#include "client/formats/smiles_graph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace kindred::drawing {
namespace {

using test::Must;
using test::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

v1::Graph DrawnGraph(const std::string& smiles) { return Must(formats::GraphFromSmiles(smiles, {})); }

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) {
    ++count;
  }
  return count;
}

// Tags close in the order they were opened; no attribute or text has a bare sign in it.
void ExpectWellFormed(const std::string& svg) {
  EXPECT_THAT(svg, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  std::vector<std::string> open;
  for (size_t at = svg.find('<', 5); at != std::string::npos; at = svg.find('<', at + 1)) {
    const size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    EXPECT_EQ(tag.find('<'), std::string::npos) << tag;
    const std::string name = tag.substr(0, tag.find_first_of(" \n/", 1));
    if (tag.starts_with('/')) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ("/" + open.back(), tag);
      open.pop_back();
    } else if (!tag.ends_with('/') && !tag.starts_with('!')) {
      open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
}

// Propanol and propylamine: the chains agree, O and N do not.
v1::ExplainResponse Answer() {
  v1::ExplainResponse answer;
  *answer.mutable_graph_a() = DrawnGraph("CCCO");
  *answer.mutable_graph_b() = DrawnGraph("NCCC");
  const uint32_t pairs[][3] = {{0, 3, 3}, {1, 2, 2}, {2, 1, 1}, {3, 0, 0}};
  for (const auto& [a, b, levels] : pairs) {
    v1::ExplainResponse::Pair& pair = *answer.add_pairs();
    pair.set_a(a);
    pair.set_b(b);
    pair.set_levels(levels);
  }
  for (const uint32_t overlap : {3, 2, 1}) {
    answer.add_overlaps(overlap);
    answer.add_weights(1);
  }
  answer.set_kernel(6);
  answer.set_tanimoto(1.0 / 3);
  answer.set_cosine(0.5);
  return answer;
}

TEST(DrawAssignment, HasNamesLegendAndSimilarities) {
  const std::string svg = Must(DrawAssignment("propanol", "a<b&c", Answer()));
  ExpectWellFormed(svg);
  for (const std::string text :
       {">propanol</text>", ">a&lt;b&amp;c</text>", "tanimoto 0.3333 · cosine 0.5000 · kernel 6",
        ">none</text>", ">0 (label)</text>", ">1</text>", ">2</text>"}) {
    EXPECT_EQ(Count(svg, text), 1u) << text;
  }
  EXPECT_EQ(Count(svg, ">3</text>"), 0u);
}

TEST(DrawAssignment, ColoursPartnersAlikeAndLeavesOthersBlank) {
  const std::string svg = Must(DrawAssignment("a", "b", Answer()));
  // RDKit's discs: one in each molecule for every pair that agrees.
  EXPECT_EQ(Count(svg, "<ellipse"), 6u);
  v1::ExplainResponse strangers = Answer();
  for (v1::ExplainResponse::Pair& pair : *strangers.mutable_pairs()) {
    pair.set_levels(0);
  }
  EXPECT_EQ(Count(Must(DrawAssignment("a", "b", strangers)), "<ellipse"), 0u);
}

TEST(DrawAssignment, CutsLongNames) {
  const std::string name(600, 'x');
  const std::string svg = Must(DrawAssignment(name, "b", Answer()));
  EXPECT_THAT(svg, AllOf(HasSubstr("xxx…xxx"), Not(HasSubstr(name))));
}

TEST(DrawAssignment, NamesWhatIsNoMolecule) {
  v1::ExplainResponse answer = Answer();
  answer.mutable_graph_b()->set_labels(0, "red");
  EXPECT_THAT(
      DrawAssignment("a", "b", answer),
      StatusIs(test::kInvalid, "b is not drawn: vertex 0 has the label \"red\", which names no element"));
}

TEST(DrawAssignment, RefusesPairsThatDoNotFit) {
  v1::ExplainResponse answer = Answer();
  answer.mutable_pairs(0)->set_b(4);
  EXPECT_THAT(DrawAssignment("a", "b", answer), StatusIs(test::kInvalid, "pairs 0 with 4"));
}

TEST(DrawNeighbours, HasTheQueryAndEveryHitWithItsCaption) {
  const v1::Graph graph = DrawnGraph("c1ccccc1O");
  std::vector<NeighbourCell> hits;
  for (int i = 0; i < 9; ++i) {
    hits.push_back({"hit" + std::to_string(i), "tanimoto 0.5", &graph});
  }
  const NeighboursPicture picture = Must(DrawNeighbours({"phenol", "query", &graph}, hits));
  ExpectWellFormed(picture.svg);
  EXPECT_TRUE(picture.notes.empty());
  EXPECT_EQ(Count(picture.svg, ">phenol</text>"), 1u);
  EXPECT_EQ(Count(picture.svg, ">tanimoto 0.5</text>"), 9u);
  EXPECT_EQ(Count(picture.svg, "<g transform"), 10u);
  EXPECT_THAT(picture.svg, HasSubstr(">hit8</text>"));
}

TEST(DrawNeighbours, LeavesAPlaceEmptyAndSaysWhy) {
  const v1::Graph graph = DrawnGraph("CCO");
  v1::Graph other = graph;
  other.set_labels(0, "red");
  const NeighboursPicture picture =
      Must(DrawNeighbours({"q", "query", &graph}, {{"gone", "1", nullptr}, {"odd", "1", &other}}));
  ExpectWellFormed(picture.svg);
  EXPECT_THAT(picture.notes,
              ElementsAre("gone is not drawn: it is no longer stored",
                          "odd is not drawn: vertex 0 has the label \"red\", which names no element"));
  EXPECT_THAT(picture.svg, AllOf(HasSubstr(">no longer stored</text>"), HasSubstr(">not drawn</text>")));
  EXPECT_THAT(DrawNeighbours({"q", "query", &other}, {}),
              StatusIs(test::kInvalid, "q is not drawn: vertex 0"));
}

TEST(FitText, CutsTheMiddleBetweenCharacters) {
  const TextStyle style{.size = 10};  // Letters are 6.5 wide, others 10.
  EXPECT_EQ(FitText("short", style, 32.5), "short");
  EXPECT_EQ(FitText("abcdefgh", style, 32.5), "ab…h");
  EXPECT_EQ(FitText("äöüäöü", style, 30), "ä…ü");
  EXPECT_EQ(FitText("abc", style, 0), "…");
  EXPECT_GT(TextWidth("abc", {.size = 10, .bold = true}), TextWidth("abc", style));
}

TEST(DepthColour, GetsDarkerWithEveryLevel) {
  const auto lightness = [](const Colour& colour) {
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
  };
  for (uint32_t levels_all = 1; levels_all <= 16; ++levels_all) {
    for (uint32_t levels = 1; levels < levels_all; ++levels) {
      EXPECT_GT(lightness(DepthColour(levels, levels_all)), lightness(DepthColour(levels + 1, levels_all)));
    }
    EXPECT_EQ(DepthColour(levels_all, levels_all), DepthColour(1, 1));
  }
}

}  // namespace
}  // namespace kindred::drawing
