// The molecule scheme of an index: decided by the first molecule stored, kept for good, enforced on all
// others.

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "index/base/molecule_scheme.h"
#include "index/engine/engine.h"
#include "index/engine/verify.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/store_surgery.h"

namespace kindred {
namespace {

using schema::Family;
using test::EngineHarness;
using test::IsOk;
using test::kDataLoss;
using test::kFailedPrecondition;
using test::Must;
using test::Path;
using test::StatusIs;
using test::StoreSurgery;
using ::testing::HasSubstr;

constexpr const char* kElement = "element,bonds";
constexpr const char* kEcfp = "ecfp,bonds";

Mutation MoleculeOf(const std::string& id, const std::string& letters, const std::string& scheme,
                    WriteMode mode = WriteMode::kUpsert) {
  Mutation mutation = test::PutOf(id, Path(letters), mode);
  (**mutation.record).is_molecule = true;
  mutation.molecule_scheme = scheme;
  return mutation;
}

std::string SchemeOf(EngineHarness& harness) { return harness.engine().stats().molecule_scheme; }

TEST(MoleculeSchemeOfIndex, IsThatOfTheFirstMolecule) {
  EngineHarness harness;
  EXPECT_EQ(SchemeOf(harness), "");
  harness.Put("plain", Path("CO"));
  EXPECT_EQ(SchemeOf(harness), "") << "a plain graph decides nothing";
  EXPECT_EQ(harness.Write({MoleculeOf("a", "CO", kEcfp)}).outcomes[0].kind, Outcome::Kind::kInserted);
  EXPECT_EQ(SchemeOf(harness), kEcfp);
}

TEST(MoleculeSchemeOfIndex, RefusesAnotherAndNamesBoth) {
  EngineHarness harness;
  harness.Write({MoleculeOf("a", "CO", kElement)});
  const Outcome outcome = harness.Write({MoleculeOf("b", "CO", kEcfp)}).outcomes[0];
  EXPECT_THAT(outcome.status, StatusIs(kFailedPrecondition, "'ecfp,bonds'"));
  EXPECT_THAT(outcome.status, StatusIs(kFailedPrecondition, "'element,bonds'"));
  EXPECT_THAT(outcome.status, StatusIs(kFailedPrecondition, "another index"));
  EXPECT_EQ(outcome.external_id, "b");
  EXPECT_EQ(harness.engine().stats().graphs, 1u);
  EXPECT_EQ(harness.engine().stats().labels, 3u) << "what is refused changes nothing";
  EXPECT_THAT(harness.Put("plain", Path("XY")).status, IsOk());
  EXPECT_THAT(harness.Write({MoleculeOf("c", "CN", kElement)}).outcomes[0].status, IsOk());
}

TEST(MoleculeSchemeOfIndex, IsDecidedWithinAGroup) {
  EngineHarness harness;
  const auto results = harness.WriteInOneGroup(
      {{MoleculeOf("a", "CO", kEcfp)}, {MoleculeOf("b", "CO", kElement), MoleculeOf("c", "CN", kEcfp)}});
  EXPECT_THAT(results[0].outcomes[0].status, IsOk());
  EXPECT_THAT(results[1].outcomes[0].status, StatusIs(kFailedPrecondition, kElement));
  EXPECT_THAT(results[1].outcomes[1].status, IsOk());
}

TEST(MoleculeSchemeOfIndex, IsNotDecidedByAMoleculeThatIsRefused) {
  EngineHarness harness;
  const auto outcomes =
      harness.Write({MoleculeOf("a", "CO", kEcfp, WriteMode::kReplace), MoleculeOf("b", "CO", kElement)})
          .outcomes;
  EXPECT_THAT(outcomes[0].status, StatusIs(absl::StatusCode::kNotFound, "a"));
  EXPECT_THAT(outcomes[1].status, IsOk());
  EXPECT_EQ(SchemeOf(harness), kElement);
}

TEST(MoleculeSchemeOfIndex, OutlivesItsMoleculesAndARestart) {
  EngineHarness harness;
  harness.Write({MoleculeOf("a", "CO", kEcfp)});
  harness.Delete("a");
  EXPECT_EQ(SchemeOf(harness), kEcfp);
  harness.Restart();
  EXPECT_EQ(SchemeOf(harness), kEcfp);
  EXPECT_THAT(harness.Write({MoleculeOf("b", "CO", kElement)}).outcomes[0].status,
              StatusIs(kFailedPrecondition, kEcfp));
  EXPECT_THAT(harness.Write({MoleculeOf("b", "CO", kEcfp)}).outcomes[0].status, IsOk());
}

TEST(MoleculeSchemeOfIndex, IsCheckedBySearches) {
  EngineHarness harness;
  SearchRequest request = test::Ask(Path("CO"));
  request.molecule_scheme = kEcfp;
  EXPECT_THAT(harness.Search(request), IsOk()) << "no molecule is there to be compared";
  harness.Write({MoleculeOf("a", "CO", kElement)});
  EXPECT_THAT(harness.Search(request), StatusIs(kFailedPrecondition, "'ecfp,bonds'"));
  request.molecule_scheme = kElement;
  EXPECT_THAT(harness.Search(request), IsOk());
  request.molecule_scheme.clear();
  EXPECT_THAT(harness.Search(request), IsOk()) << "a plain graph may always ask";
}

TEST(MoleculeSchemeOfIndex, IsOfTheSnapshot) {
  EngineHarness harness;
  const auto before = harness.Newest();
  harness.Write({MoleculeOf("a", "CO", kElement)});
  EXPECT_EQ(before->store->molecule_scheme(), "");
  EXPECT_EQ(harness.Newest()->store->molecule_scheme(), kElement);
}

TEST(MoleculeSchemeOfIndex, IsKeptWithEachRecord) {
  EngineHarness harness;
  harness.Put("plain", Path("CO"));
  harness.Write({MoleculeOf("a", "CO", kElement)});
  const auto store = harness.Newest()->store;
  EXPECT_FALSE(Must(store->ReadRecord(GraphId{1})).is_molecule);
  EXPECT_TRUE(Must(store->ReadRecord(GraphId{2})).is_molecule);
}

// Version 4 until the first molecule.
TEST(MoleculeSchemeOfIndex, RaisesTheSchemaVersion) {
  EngineHarness harness;
  harness.Put("plain", Path("CO"));
  harness.Close();
  EXPECT_EQ(StoreSurgery(harness.path()).Get(Family::kMeta, schema::kMetaSchema), std::string("\0\0\0\6", 4));
  harness.Restart();
  harness.Write({MoleculeOf("a", "CO", kElement)});
  harness.Close();
  EXPECT_EQ(StoreSurgery(harness.path()).Get(Family::kMeta, schema::kMetaSchema), std::string("\0\0\0\7", 4));
  EXPECT_EQ(StoreSurgery(harness.path()).Get(Family::kMeta, schema::kMetaMolecules), kElement);
}

TEST(MoleculeSchemeOfIndex, ThatIsMissingOrDamagedIsDataLoss) {
  EngineHarness harness;
  harness.Write({MoleculeOf("a", "CO", kElement)});
  harness.Close();
  for (const std::string& damaged : {std::string(), std::string("a b"), std::string(129, 'x')}) {
    StoreSurgery(harness.path()).Put(Family::kMeta, schema::kMetaMolecules, damaged);
    EXPECT_THAT(harness.Open(), StatusIs(kDataLoss, "molecule scheme"));
  }
  StoreSurgery(harness.path()).Delete(Family::kMeta, schema::kMetaMolecules);
  EXPECT_THAT(harness.Open(), StatusIs(kDataLoss, "molecule scheme"));
  StoreSurgery(harness.path()).Put(Family::kMeta, schema::kMetaMolecules, kElement);
  EXPECT_THAT(harness.Open(), IsOk());
}

TEST(MoleculeSchemeOfIndex, InAStoreOfTheOlderVersionIsDataLoss) {
  EngineHarness harness;
  harness.Put("plain", Path("CO"));
  harness.Close();
  StoreSurgery(harness.path()).Put(Family::kMeta, schema::kMetaMolecules, kElement);
  EXPECT_THAT(harness.Open(), StatusIs(kDataLoss, "molecule scheme"));
}

TEST(MoleculeSchemeOfIndex, IsAudited) {
  EngineHarness harness;
  harness.Put("plain", Path("CO"));
  harness.Close();
  // A record that says it is a molecule, in a store that has none.
  const std::string key = schema::Key(GraphId{1});
  std::string record = StoreSurgery(harness.path()).Get(Family::kGraphs, key);
  record[0] = static_cast<char>(schema::kMoleculeValueVersion);
  StoreSurgery(harness.path()).Put(Family::kGraphs, key, record);
  const auto store = Must(Store::Open(Must(DataDirectory::Open(harness.path())), {}));
  Executor executor(1, 10);
  Verifier verifier(Snapshot{{}, {}, store->view()}, executor);
  while (verifier.Step()) {
  }
  ASSERT_EQ(verifier.report().findings.size(), 1u);
  EXPECT_EQ(verifier.report().findings[0].family, "graphs");
  EXPECT_THAT(verifier.report().findings[0].what, HasSubstr("no molecule scheme"));
}

// The scheme depends on the order of the writes alone, not on how they are grouped or on threads.
TEST(MoleculeSchemeOfIndex, IsTheSameHoweverWritesAreGrouped) {
  const std::vector<std::vector<Mutation>> writes = {
      {test::PutOf("p", Path("CO"))}, {MoleculeOf("a", "CN", kEcfp)}, {MoleculeOf("b", "CN", kElement)}};
  EngineHarness grouped(test::OptionsOf(4));
  grouped.WriteInOneGroup(writes);
  EngineHarness single(test::OptionsOf(1));
  for (const auto& write : writes) single.Write(write);
  EXPECT_EQ(test::ReadContents(*grouped.Newest()->store), test::ReadContents(*single.Newest()->store));
  EXPECT_EQ(SchemeOf(grouped), SchemeOf(single));
  EXPECT_EQ(SchemeOf(grouped), kEcfp);
}

}  // namespace
}  // namespace kindred
