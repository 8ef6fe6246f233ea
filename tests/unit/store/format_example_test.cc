// The worked example of docs/formats.md, byte by byte.

#include <string>

#include "gtest/gtest.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/hierarchy/refinement.h"
#include "index/histogram/histogram.h"
#include "index/store/codec.h"
#include "index/store/commit_batch.h"
#include "index/store/store.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/store_surgery.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using namespace std::string_literals;

TEST(FormatExample, IsWhatTheDocumentDraws) {
  GraphParts parts;
  parts.labels = {"C", "O"};
  parts.vertices = {0, 0, 1};
  parts.edges = {{0, 1, GraphParts::kNoLabel}, {1, 2, GraphParts::kNoLabel}};
  StoredRecord record{"ethanol", *Graph::Create(parts, Limits()), "", {}};
  ColourHierarchy hierarchy;
  VertexColours colours = RefineKnown(hierarchy.view(), record.graph, 1);
  IssueMissing(hierarchy, record.graph, colours);

  ASSERT_EQ(hierarchy.label_count(), 3);
  EXPECT_EQ(hierarchy.label(LabelId{0}), "C");
  EXPECT_EQ(hierarchy.label(LabelId{1}), "O");
  EXPECT_EQ(hierarchy.label(LabelId{2}), "");
  ASSERT_EQ(hierarchy.colour_count(), 5);
  EXPECT_EQ(hierarchy.signature(ColourId{0}), "\x00\x00"s);
  EXPECT_EQ(hierarchy.signature(ColourId{1}), "\x00\x01"s);
  EXPECT_EQ(hierarchy.signature(ColourId{2}), "\x01\x00\x02\x00"s);
  EXPECT_EQ(hierarchy.signature(ColourId{3}), "\x01\x00\x02\x00\x02\x01"s);
  EXPECT_EQ(hierarchy.signature(ColourId{4}), "\x01\x01\x02\x00"s);

  const TempDir directory;
  {
    const auto store = Must(Store::Open(Must(DataDirectory::Open(directory.path())), {}));
    CommitBatch batch(*store);
    for (uint32_t id = 0; id < hierarchy.colour_count(); ++id) {
      batch.AddColour(ColourId{id}, hierarchy.signature(ColourId{id}));
    }
    ASSERT_THAT(store->Commit(batch), IsOk());
  }
  EXPECT_EQ(StoreSurgery(directory.path()).Get(schema::Family::kColours, schema::Key(ColourId{0})),
            "\x02\x00\x00\x02\x00\x01"
            "\x04\x01\x00\x02\x00"
            "\x06\x01\x00\x02\x00\x02\x01"
            "\x04\x01\x01\x02\x00"s);

  EXPECT_EQ(EncodeRecord(record),
            "\x01\x07"
            "ethanol"
            "\x03\x01\x43\x01\x4f\x00"
            "\x03\x00\x00\x01"
            "\x02\x00\x01\x02\x01\x01\x02"
            "\x00\x00"s);
  EXPECT_EQ(EncodeHistogram("ethanol", Histogram::Of(colours)),
            "\x01\x07"
            "ethanol"
            "\x03\x01"
            "\x02\x00\x02\x01\x01"
            "\x03\x02\x01\x01\x01\x01\x01"s);
}

}  // namespace
}  // namespace kindred::test
