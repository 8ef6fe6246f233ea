// Molecules from file to answer: SDF and tables, and the scheme that an index takes on and enforces.

#include <csignal>
#include <fstream>
#include <future>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/ingest_call.h"
#include "tests/integration/messages.h"
#include "tests/support/paths.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class MoleculesTest : public ::testing::Test {
 protected:
  Finished Kindred(std::vector<std::string> args) {
    args.insert(args.begin(), {"--server", daemon_->address()});
    return RunProgram(KindredPath(), args);
  }

  std::string WriteFile(const std::string& name, const std::string& text) {
    std::ofstream(dir_.path() / name) << text;
    return dir_.Sub(name);
  }

  void Restart() {
    EXPECT_EQ(daemon_->Stop(SIGTERM), 0);
    daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"));
  }

  std::string Scheme() {
    v1::StatsResponse stats;
    EXPECT_TRUE(daemon_->NewStub()->Stats(NewContext().get(), {}, &stats).ok());
    return stats.molecule_scheme();
  }

  const TempDir dir_;
  std::unique_ptr<DaemonProcess> daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"));
};

constexpr const char* kSmiles = "CCO\tethanol\nCO\tmethanol\nc1ccccc1\tbenzene\n";

TEST_F(MoleculesTest, TheFirstFileDecidesAndTheIndexRemembers) {
  const std::string file = WriteFile("a.smi", kSmiles);
  EXPECT_EQ(Scheme(), "");
  ASSERT_EQ(Kindred({"ingest", "--labels", "ecfp", file}).exit_code, 0);
  EXPECT_EQ(Scheme(), "ecfp,bonds");
  EXPECT_THAT(Kindred({"stats"}).out, ContainsRegex("molecules are +ecfp,bonds"));
  EXPECT_THAT(Kindred({"--json", "stats"}).out, HasSubstr(R"("molecule_scheme":"ecfp,bonds")"));
  Restart();
  EXPECT_EQ(Scheme(), "ecfp,bonds");
  // Nobody has to say it again.
  const Finished more = Kindred({"ingest", WriteFile("b.smi", "CCN\tethylamine\n")});
  EXPECT_EQ(more.exit_code, 0) << more.err;
  const Finished search = Kindred({"--json", "search", "--smiles", "OCC", "-k", "1"});
  EXPECT_EQ(search.exit_code, 0) << search.err;
  EXPECT_THAT(search.out, HasSubstr(R"({"id":"ethanol","kernel":12,"similarity":1)"));
  const Finished many = Kindred({"--json", "search", "--file", file, "-k", "1"});
  EXPECT_EQ(many.exit_code, 0) << many.err;
  EXPECT_THAT(many.out, HasSubstr(R"("id":"benzene","kernel":24,"similarity":1)"));
}

TEST_F(MoleculesTest, AnotherSchemeIsRefusedBeforeAnythingIsRead) {
  const std::string file = WriteFile("a.smi", kSmiles);
  ASSERT_EQ(Kindred({"ingest", file}).exit_code, 0);
  EXPECT_EQ(Scheme(), "element,bonds");
  for (const std::vector<std::string>& other :
       std::vector<std::vector<std::string>>{{"--labels", "ecfp"},
                                             {"--edge-labels", "no"},
                                             {"--hydrogens", "keep"},
                                             {"--fragments", "largest"}}) {
    for (std::vector<std::string> command : std::vector<std::vector<std::string>>{
             {"ingest", file}, {"search", "--file", file}, {"search", "--smiles", "CCO"}}) {
      command.insert(command.end(), other.begin(), other.end());
      const Finished refused = Kindred(command);
      EXPECT_EQ(refused.exit_code, 1) << command[0] << " " << other[0];
      EXPECT_THAT(refused.err, HasSubstr("'element,bonds'"));
      EXPECT_THAT(refused.err, HasSubstr("use another index"));
    }
  }
  EXPECT_EQ(Kindred({"ingest", "--labels", "element", "--edge-labels", "yes", file}).exit_code, 0);
}

TEST_F(MoleculesTest, PlainGraphsAreTakenByAnyIndex) {
  const std::string plain = WriteFile("p.jsonl", R"({"id":"p","vertices":["x","y"],"edges":[[0,1,"e"]]})"
                                                 "\n");
  ASSERT_EQ(Kindred({"ingest", plain}).exit_code, 0);
  EXPECT_EQ(Scheme(), "");
  ASSERT_EQ(Kindred({"ingest", "--labels", "ecfp", WriteFile("a.smi", kSmiles)}).exit_code, 0);
  EXPECT_EQ(Kindred({"ingest", plain}).exit_code, 0);
  EXPECT_EQ(Kindred({"ingest", "--edge-labels", "no", plain}).exit_code, 0) << "it is no molecule";
  EXPECT_EQ(Kindred({"search", "--file", plain}).exit_code, 0);
  EXPECT_EQ(Scheme(), "ecfp,bonds");
}

TEST_F(MoleculesTest, AConvertedFileStatesItsScheme) {
  const std::string file = WriteFile("a.smi", kSmiles);
  ASSERT_EQ(Kindred({"convert", "--labels", "ecfp", file, dir_.Sub("ecfp.pb")}).exit_code, 0);
  ASSERT_EQ(Kindred({"convert", file, dir_.Sub("element.pb.zst")}).exit_code, 0);
  ASSERT_EQ(Kindred({"ingest", dir_.Sub("ecfp.pb")}).exit_code, 0);
  EXPECT_EQ(Scheme(), "ecfp,bonds");
  const Finished refused = Kindred({"ingest", dir_.Sub("element.pb.zst")});
  EXPECT_EQ(refused.exit_code, 3) << "each record, since a file may hold any";
  EXPECT_THAT(refused.err, HasSubstr("element.pb.zst:1: ethanol: molecule_scheme: is 'element,bonds'"));
  EXPECT_THAT(refused.out, ContainsRegex("rejected +3\n"));
  const Finished search = Kindred({"search", "--file", dir_.Sub("element.pb.zst")});
  EXPECT_EQ(search.exit_code, 3);
  EXPECT_THAT(search.err, HasSubstr("molecule_scheme: is 'element,bonds'"));
}

TEST_F(MoleculesTest, AnExportStatesTheSchemeOfItsMolecules) {
  ASSERT_EQ(Kindred({"ingest", "--labels", "ecfp", WriteFile("a.smi", kSmiles)}).exit_code, 0);
  ASSERT_EQ(Kindred({"ingest", WriteFile("p.jsonl", R"({"id":"p","vertices":["x"]})"
                                                    "\n")})
                .exit_code,
            0);
  ASSERT_EQ(Kindred({"export", "-o", dir_.Sub("all.jsonl")}).exit_code, 0);
  DaemonProcess copy(dir_.Sub("copy"));
  ASSERT_EQ(
      RunProgram(KindredPath(), {"--server", copy.address(), "ingest", dir_.Sub("all.jsonl")}).exit_code, 0);
  v1::GetRequest request;
  request.add_ids("ethanol");
  request.add_ids("p");
  v1::GetResponse response;
  ASSERT_TRUE(copy.NewStub()->Get(NewContext().get(), request, &response).ok());
  EXPECT_EQ(response.entries(0).record().molecule_scheme(), "ecfp,bonds");
  EXPECT_EQ(response.entries(1).record().molecule_scheme(), "");
}

TEST_F(MoleculesTest, OfTwoFirstStreamsExactlyOneWins) {
  const auto ingest = [&](const std::string& scheme) {
    v1::IngestRequest frame;
    frame.mutable_frame()->set_client_sequence(1);
    for (int i = 0; i < 200; ++i) {
      v1::Record record = RecordMessage(scheme + std::to_string(i), PathMessage("CCO"));
      record.set_molecule_scheme(scheme);
      *frame.mutable_frame()->add_items()->mutable_put() = record;
    }
    return RunIngest(*daemon_, v1::IngestOpen(), {frame});
  };
  auto first = std::async(std::launch::async, ingest, "element,bonds");
  auto second = std::async(std::launch::async, ingest, "ecfp,bonds");
  const EndedIngest element = first.get();
  const EndedIngest ecfp = second.get();
  ASSERT_TRUE(element.status.ok() && ecfp.status.ok());
  const std::string winner = Scheme();
  EXPECT_TRUE(winner == "element,bonds" || winner == "ecfp,bonds") << winner;
  const EndedIngest& won = winner == "element,bonds" ? element : ecfp;
  const EndedIngest& lost = winner == "element,bonds" ? ecfp : element;
  EXPECT_EQ(won.acks.inserted(), 200u);
  EXPECT_EQ(lost.acks.inserted(), 0u);
  ASSERT_EQ(lost.acks.rejected_size(), 200);
  EXPECT_EQ(lost.acks.rejected(0).outcome().code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(lost.acks.rejected(0).outcome().message(), HasSubstr("'" + winner + "'"));
}

TEST_F(MoleculesTest, ASchemeThatIsNoTextIsRefused) {
  v1::PutRequest request;
  *request.add_records() = RecordMessage("a", PathMessage("CO"));
  request.mutable_records(0)->set_molecule_scheme("a b");
  v1::PutResponse response;
  ASSERT_TRUE(daemon_->NewStub()->Put(NewContext().get(), request, &response).ok());
  EXPECT_EQ(response.outcomes(0).message(), "records[0].molecule_scheme: byte 2 is not printable ASCII");
  request.mutable_records(0)->set_molecule_scheme(std::string(128, 'x'));
  ASSERT_TRUE(daemon_->NewStub()->Put(NewContext().get(), request, &response).ok());
  EXPECT_EQ(response.outcomes(0).kind(), v1::Outcome::INSERTED);
  EXPECT_EQ(Scheme(), std::string(128, 'x'));
  // A scheme of somebody else's making is none that kindred could follow.
  const Finished search = Kindred({"search", "--smiles", "CCO"});
  EXPECT_EQ(search.exit_code, 1);
  EXPECT_THAT(search.err, HasSubstr("none that this kindred knows"));
  v1::SearchRequest too_long;
  too_long.set_id("a");
  too_long.set_molecule_scheme(std::string(129, 'x'));
  v1::SearchResponse found;
  EXPECT_EQ(daemon_->NewStub()->Search(NewContext().get(), too_long, &found).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(MoleculesTest, ReadsATableByItsColumns) {
  const std::string file =
      WriteFile("t.csv", "no,\"structure, drawn\",key\n1,CCO,ethanol\n2,C1CC,bad\n3,CO,methanol\n");
  const Finished ingest =
      Kindred({"ingest", "--smiles-column", "structure, drawn", "--id-column", "key", file});
  EXPECT_EQ(ingest.exit_code, 3);
  EXPECT_THAT(ingest.err, HasSubstr(file + ":3: bad: unclosed ring"));
  EXPECT_EQ(Kindred({"get", "ethanol", "methanol"}).exit_code, 0);
  const Finished wrong = Kindred({"ingest", "--smiles-column", "smiles", file});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("there is no column 'smiles'; there are no, structure, drawn, key"));
}

TEST_F(MoleculesTest, StopsAtABadRecordAndKeepsThoseBefore) {
  const std::string file = WriteFile("s.smi", "CCO\ta\nCO\tb\nC1CC\tbad\nCN\tc\n");
  const Finished ingest = Kindred({"ingest", "--on-error", "stop", file});
  EXPECT_EQ(ingest.exit_code, 3);
  EXPECT_EQ(Kindred({"get", "a", "b"}).exit_code, 0);
  EXPECT_EQ(Kindred({"get", "c"}).exit_code, 3);
}

TEST_F(MoleculesTest, FindsInSmilesWhatCameAsSdf) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  const std::string file = (*SharedData() / "sdf/zinc_leads500.sdf.gz").string();
  const Finished ingest = Kindred({"ingest", "--properties", "tags", file});
  EXPECT_EQ(ingest.exit_code, 0) << ingest.err;
  EXPECT_THAT(ingest.err, Not(HasSubstr("RDKit")));
  const Finished exported = Kindred({"export"});
  std::istringstream lines(exported.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const size_t begin = line.find(R"("payload":")") + 11;
  const std::string smiles = line.substr(begin, line.find('"', begin) - begin);
  const Finished search = Kindred({"--json", "search", "--smiles", smiles, "-k", "1"});
  EXPECT_EQ(search.exit_code, 0) << smiles << ": " << search.err;
  EXPECT_THAT(search.out, HasSubstr(R"("similarity":1)")) << smiles;
}

}  // namespace
}  // namespace kindred::test
