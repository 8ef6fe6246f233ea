// Backups as an operator meets them: while clients write, restored to a new directory, compared with the
// index at exactly the commit of the backup; and what is refused.

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class BackupServiceTest : public ::testing::Test {
 protected:
  BackupServiceTest() { fs::create_directory(root_); }

  Finished Kindred(const DaemonProcess& daemon, std::vector<std::string> args) const {
    args.insert(args.begin(), {"--server", daemon.address()});
    return RunProgram(KindredPath(), args);
  }
  Finished Kindredd(const std::vector<std::string>& args) const { return RunProgram(KindreddPath(), args); }

  void Restore(const std::string& id, const std::string& to) const {
    const Finished restored =
        Kindredd({"--data-dir", to, "--restore-from", root_ + "/daily", "--backup-id", id, "--verify"});
    ASSERT_EQ(restored.exit_code, 0) << restored.err;
    EXPECT_THAT(restored.out, HasSubstr("restored "));
    EXPECT_THAT(restored.out, HasSubstr(": 0 findings\n"));
  }

  const TempDir dir_;
  const std::string root_ = dir_.Sub("backups");
  const std::string data_ = dir_.Sub("data");
};

// The same for every message that means the same record: edges may come in any order, and so may labels.
std::string TextOf(const v1::Record& record) {
  const v1::Graph& graph = record.graph();
  std::string text = record.payload() + ";";
  for (const v1::Tag& tag : record.tags()) {
    text += tag.key() + "=" + tag.value() + ";";
  }
  for (const uint32_t label : graph.vertices()) {
    text += graph.labels(static_cast<int>(label)) + " ";
  }
  std::set<std::string> edges;
  for (int e = 0; 2 * e < graph.edges_size(); ++e) {
    const auto [a, b] = std::minmax({graph.edges(2 * e), graph.edges(2 * e + 1)});
    const uint32_t label = graph.edge_labels_size() > 0 ? graph.edge_labels(e) : 0;
    edges.insert(std::to_string(a) + "-" + std::to_string(b) +
                 (label > 0 ? graph.labels(static_cast<int>(label - 1)) : ""));
  }
  for (const std::string& edge : edges) {
    text += edge + " ";
  }
  return text;
}

// Records by id after each commit, as the writer's acknowledgements tell.
class History {
 public:
  using State = std::map<std::string, std::string>;

  void Apply(uint64_t sequence, const v1::PutRequest& put, const std::vector<std::string>& removed) {
    for (const v1::Record& record : put.records()) {
      state_[record.id()] = TextOf(record);
    }
    for (const std::string& id : removed) {
      state_.erase(id);
    }
    states_[sequence] = state_;
  }
  const State* At(uint64_t sequence) const {
    const auto found = states_.find(sequence);
    return found == states_.end() ? nullptr : &found->second;
  }
  size_t size() const { return states_.size(); }

 private:
  State state_;
  std::map<uint64_t, State> states_;
};

History::State Export(const DaemonProcess& daemon) {
  const auto stub = daemon.NewStub();
  const auto context = NewContext();
  const auto reader = stub->Export(context.get(), {});
  History::State exported;
  for (v1::ExportResponse response; reader->Read(&response);) {
    for (const v1::Record& record : response.records()) {
      exported[record.id()] = TextOf(record);
    }
  }
  EXPECT_TRUE(reader->Finish().ok());
  return exported;
}

void ExpectModesAgree(const DaemonProcess& daemon) {
  const auto stub = daemon.NewStub();
  std::mt19937_64 rng(17);
  for (int i = 0; i < 20; ++i) {
    v1::SearchRequest request;
    *request.mutable_graph() = RandomTreeMessage(rng);
    request.set_k(15);
    v1::SearchResponse pruned;
    v1::SearchResponse exhaustive;
    ASSERT_TRUE(stub->Search(NewContext().get(), request, &pruned).ok());
    request.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
    ASSERT_TRUE(stub->Search(NewContext().get(), request, &exhaustive).ok());
    pruned.clear_stats();
    exhaustive.clear_stats();
    EXPECT_EQ(pruned.DebugString(), exhaustive.DebugString());
  }
}

TEST_F(BackupServiceTest, UnderLoadIsTheIndexAtExactlyItsCommit) {
  DaemonProcess daemon(data_, {"--backup-dir", root_});
  History history;
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> written{0};
  std::jthread writer([&] {
    const auto stub = daemon.NewStub();
    std::mt19937_64 rng(23);
    // Every call is one group of the one writer, so a backup lies between two of them.
    for (int i = 0; !stop; ++i) {
      v1::PutRequest put;
      for (int r = 0; r < 20; ++r) {
        v1::Record record = RecordMessage("g" + std::to_string(rng() % 3000), RandomTreeMessage(rng));
        record.set_payload(std::string(200, static_cast<char>('a' + i % 26)));
        if (r % 5 == 0) {
          v1::Tag& tag = *record.add_tags();
          tag.set_key("batch");
          tag.set_value(std::to_string(i % 7));
        }
        *put.add_records() = std::move(record);
      }
      v1::PutResponse response;
      ASSERT_TRUE(stub->Put(NewContext().get(), put, &response).ok());
      history.Apply(response.sequence(), put, {});
      if (i % 3 == 0) {
        const std::string id = put.records(0).id();
        v1::DeleteRequest removal;
        removal.add_ids(id);
        v1::DeleteResponse removed;
        ASSERT_TRUE(stub->Delete(NewContext().get(), removal, &removed).ok());
        history.Apply(removed.sequence(), {}, {id});
      }
      ++written;
    }
  });
  std::vector<Json> backups;
  for (int i = 0; i < 3; ++i) {
    const uint64_t goal = written + 20;
    while (written < goal) {
      std::this_thread::yield();
    }
    const Finished done = Kindred(daemon, {"backup", "daily", "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    backups.push_back(Json::parse(done.out));
  }
  stop = true;
  writer.join();
  EXPECT_EQ(daemon.Stop(SIGKILL), 128 + SIGKILL);
  for (const Json& backup : backups) {
    const uint64_t sequence = backup["sequence"];
    SCOPED_TRACE("backup " + backup.dump());
    const std::string to = dir_.Sub("restored" + std::to_string(sequence));
    Restore(std::to_string(backup["backup_id"].get<uint64_t>()), to);
    DaemonProcess restored(to);
    const History::State* const expected = history.At(sequence);
    ASSERT_NE(expected, nullptr) << "no write was acknowledged with this commit";
    EXPECT_EQ(backup["graphs"], expected->size());
    EXPECT_TRUE(Export(restored) == *expected);
    ExpectModesAgree(restored);
    EXPECT_EQ(Kindred(restored, {"verify"}).exit_code, 0);
  }
}

TEST_F(BackupServiceTest, IsRefusedWithoutADirectoryForIt) {
  DaemonProcess daemon(data_);
  const Finished refused = Kindred(daemon, {"backup", "daily"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("--backup-dir"));
}

TEST_F(BackupServiceTest, GoesNowhereElse) {
  fs::create_directory(dir_.Sub("elsewhere"));
  fs::create_directory_symlink(dir_.Sub("elsewhere"), root_ + "/link");
  DaemonProcess daemon(data_, {"--backup-dir", root_});
  for (const std::string& name : {std::string("../elsewhere"), dir_.Sub("elsewhere"), std::string("link"),
                                  std::string("."), std::string("a/b")}) {
    const Finished refused = Kindred(daemon, {"backup", name});
    EXPECT_EQ(refused.exit_code, 1) << name;
    EXPECT_THAT(refused.err, HasSubstr("directory: ")) << name;
  }
  EXPECT_TRUE(fs::is_empty(dir_.Sub("elsewhere")));
  const Finished absolute = Kindred(daemon, {"backup", root_ + "/daily", "--keep", "1"});
  EXPECT_EQ(absolute.exit_code, 0) << absolute.err;
  EXPECT_THAT(absolute.out, HasSubstr("/daily/000001: 0 graphs at sequence 0"));
}

TEST_F(BackupServiceTest, ARestoreIsRefusedWhereSomethingIs) {
  {
    DaemonProcess daemon(data_, {"--backup-dir", root_});
    ASSERT_EQ(Kindred(daemon, {"backup", "daily"}).exit_code, 0);
    EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  }
  const Finished over = Kindredd({"--data-dir", data_, "--restore-from", root_ + "/daily"});
  EXPECT_EQ(over.exit_code, 65);
  EXPECT_THAT(over.err, HasSubstr("is not empty"));
  const Finished none =
      Kindredd({"--data-dir", dir_.Sub("new"), "--restore-from", root_ + "/daily", "--backup-id", "9"});
  EXPECT_EQ(none.exit_code, 65);
  EXPECT_THAT(none.err, HasSubstr("has no backup 9"));
  EXPECT_EQ(Kindredd({"--data-dir", dir_.Sub("new"), "--restore-from", dir_.Sub("nothing")}).exit_code, 64);
}

TEST_F(BackupServiceTest, ADirectoryInsideTheIndexIsRefused) {
  fs::create_directories(data_ + "/backups");
  const Finished refused = Kindredd({"--data-dir", data_, "--backup-dir", data_ + "/backups"});
  EXPECT_EQ(refused.exit_code, 64);
  EXPECT_THAT(refused.err, HasSubstr("--backup-dir lies inside --data-dir"));
}

}  // namespace
}  // namespace kindred::test
