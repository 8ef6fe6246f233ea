// StoreView: one moment of the store, in the order of the ids, checked as it is read.

#include "index/store/store_view.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/store/commit_batch.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/store_surgery.h"
#include "tests/support/temp_dir.h"

namespace kindred {
namespace {

using schema::Family;
using test::IsOk;
using test::kDataLoss;
using test::Must;
using test::StatusIs;

class StoreViewTest : public ::testing::Test {
 protected:
  StoreViewTest() { Open(); }

  void Open() { store_ = Must(Store::Open(Must(DataDirectory::Open(path_)), {.depth = 1})); }

  // Closes the store, lets `operate` change rows, opens it again.
  template <typename Operation>
  void Operate(Operation operate) {
    store_.reset();
    {
      test::StoreSurgery surgery(path_);
      operate(surgery);
    }
    Open();
  }

  void Put(uint64_t id, const std::string& external_id) {
    CommitBatch batch(*store_);
    const Graph graph = test::Path("CO");
    batch.PutGraph(GraphId{id}, EncodeRecord({external_id, graph, "", {}}),
                   EncodeHistogram(external_id, test::GrowHistogram(hierarchy_, graph, 1)));
    batch.SetSequence(CommitSequence{id});
    ASSERT_THAT(store_->Commit(batch), IsOk());
  }

  void Remove(uint64_t sequence, uint64_t id) {
    CommitBatch batch(*store_);
    batch.RemoveGraph(GraphId{id});
    batch.SetSequence(CommitSequence{sequence});
    ASSERT_THAT(store_->Commit(batch), IsOk());
  }

  static std::vector<uint64_t> HistogramIds(const StoreView& view, uint64_t begin, uint64_t end) {
    std::vector<uint64_t> ids;
    EXPECT_THAT(view.ForEachHistogram(GraphId{begin}, GraphId{end},
                                      [&](GraphId id, const StoredHistogram&) {
                                        ids.push_back(Raw(id));
                                        return absl::OkStatus();
                                      }),
                IsOk());
    return ids;
  }

  absl::Status ReadAll() const {
    const auto view = store_->view();
    const auto ignore_histogram = [](GraphId, const StoredHistogram&) { return absl::OkStatus(); };
    const auto ignore_record = [](GraphId, const StoredRecord&) { return absl::OkStatus(); };
    const absl::Status histograms = view->ForEachHistogram(GraphId{0}, GraphId{UINT64_MAX}, ignore_histogram);
    return histograms.ok() ? view->ForEachRecord(GraphId{0}, GraphId{UINT64_MAX}, ignore_record) : histograms;
  }

  test::TempDir temp_;
  const std::string path_ = temp_.Sub("index");
  ColourHierarchy hierarchy_;
  std::unique_ptr<Store> store_;
};

using RowIds = std::vector<uint64_t>;

TEST_F(StoreViewTest, DoesNotSeeLaterCommits) {
  Put(1, "a");
  const auto before = store_->view();
  Put(2, "b");
  Remove(3, 1);
  const auto after = store_->view();

  EXPECT_EQ(Must(before->sequence()), CommitSequence{1});
  EXPECT_EQ(Must(before->ReadRecord(GraphId{1})).external_id, "a");
  EXPECT_EQ(HistogramIds(*before, 0, UINT64_MAX), RowIds{1});

  EXPECT_EQ(Must(after->sequence()), CommitSequence{3});
  EXPECT_EQ(HistogramIds(*after, 0, UINT64_MAX), RowIds{2});
}

TEST_F(StoreViewTest, StaysAsItWasWhenTheStoreSettles) {
  Put(1, "a");
  const auto before = store_->view();
  store_->Settle();
  Remove(2, 1);
  Put(3, "a");
  store_->Settle();
  store_->Settle();  // Nothing was written since.
  EXPECT_EQ(Must(before->ReadRecord(GraphId{1})).external_id, "a");
  EXPECT_EQ(HistogramIds(*before, 0, UINT64_MAX), RowIds{1});
  EXPECT_EQ(HistogramIds(*store_->view(), 0, UINT64_MAX), RowIds{3});
}

TEST_F(StoreViewTest, VisitsARangeOfIdsInNumericOrder) {
  const RowIds ids{1, 2, 255, 256, 257, 65'536, uint64_t{1} << 32, (uint64_t{1} << 32) + 1};
  for (const uint64_t id : ids) {
    Put(id, "g" + std::to_string(id));
  }
  const auto view = store_->view();
  EXPECT_EQ(HistogramIds(*view, 0, UINT64_MAX), ids);
  EXPECT_EQ(HistogramIds(*view, 2, 257), (RowIds{2, 255, 256}));
  EXPECT_EQ(HistogramIds(*view, 3, 255), RowIds{});
  EXPECT_EQ(HistogramIds(*view, 65'536, 65'536), RowIds{});
}

TEST_F(StoreViewTest, StopsAtTheVisitorsErrorAndReturnsIt) {
  Put(1, "a");
  Put(2, "b");
  int visits = 0;
  const absl::Status status =
      store_->view()->ForEachRecord(GraphId{0}, GraphId{UINT64_MAX}, [&](GraphId, const StoredRecord&) {
        ++visits;
        return absl::CancelledError("enough");
      });
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kCancelled, "enough"));
  EXPECT_EQ(visits, 1);
}

TEST_F(StoreViewTest, VisitsLabelsAndColoursInTheOrderOfTheirIds) {
  CommitBatch batch(*store_);
  std::vector<std::string> expected;
  for (uint32_t id = 0; id < 3'000; ++id) {  // Colours of several rows.
    expected.push_back("bytes of " + std::to_string(id));
    batch.AddLabel(LabelId{id}, expected.back());
    batch.AddColour(ColourId{id}, expected.back());
  }
  ASSERT_THAT(store_->Commit(batch), IsOk());
  std::vector<std::string> labels;
  std::vector<std::string> colours;
  EXPECT_THAT(store_->view()->ForEachLabel([&](LabelId id, std::string_view label) {
    EXPECT_EQ(Raw(id), labels.size());
    labels.emplace_back(label);
    return absl::OkStatus();
  }),
              IsOk());
  EXPECT_THAT(store_->view()->ForEachColour([&](ColourId id, std::string_view signature) {
    EXPECT_EQ(Raw(id), colours.size());
    colours.emplace_back(signature);
    return absl::OkStatus();
  }),
              IsOk());
  EXPECT_EQ(labels, expected);
  EXPECT_EQ(colours, expected);
  EXPECT_FALSE(Must(store_->view()->Empty())) << "colours without graphs are not nothing";
}

TEST_F(StoreViewTest, AMissingRowIsDataLoss) {
  EXPECT_THAT(store_->view()->ReadRecord(GraphId{7}), StatusIs(kDataLoss, "graph 7 has no record"));
  EXPECT_THAT(store_->view()->ReadHistogram(GraphId{7}), StatusIs(kDataLoss, "graph 7 has no histogram"));
}

TEST_F(StoreViewTest, ADamagedValueIsDataLossThatNamesTheGraph) {
  Put(1, "a");
  Put(2, "b");
  for (const Family family : {Family::kHistograms, Family::kGraphs}) {
    std::string intact;
    Operate([&](test::StoreSurgery& surgery) {
      intact = surgery.Get(family, schema::Key(GraphId{2}));
      surgery.Put(family, schema::Key(GraphId{2}), intact.substr(0, intact.size() - 1));
    });
    EXPECT_THAT(ReadAll(), StatusIs(kDataLoss, "graph 2: "));
    Operate([&](test::StoreSurgery& surgery) { surgery.Put(family, schema::Key(GraphId{2}), intact); });
    EXPECT_THAT(ReadAll(), IsOk());
  }
}

TEST_F(StoreViewTest, AKeyOfTheWrongLengthIsDataLoss) {
  for (const Family family : {Family::kHistograms, Family::kGraphs}) {
    Operate([&](test::StoreSurgery& surgery) { surgery.Put(family, std::string("\0\0\1", 3), "x"); });
    EXPECT_THAT(ReadAll(), StatusIs(kDataLoss, "wrong length"));
    Operate([&](test::StoreSurgery& surgery) { surgery.Delete(family, std::string("\0\0\1", 3)); });
  }
  EXPECT_THAT(ReadAll(), IsOk());
  Operate([&](test::StoreSurgery& surgery) { surgery.Put(Family::kLabels, "three", "x"); });
  EXPECT_THAT(store_->view()->ForEachLabel([](LabelId, std::string_view) { return absl::OkStatus(); }),
              StatusIs(kDataLoss, "labels"));
  Operate([&](test::StoreSurgery& surgery) { surgery.Put(Family::kColours, "three", "x"); });
  EXPECT_THAT(store_->view()->ForEachColour([](ColourId, std::string_view) { return absl::OkStatus(); }),
              StatusIs(kDataLoss, "colours"));
}

}  // namespace
}  // namespace kindred
