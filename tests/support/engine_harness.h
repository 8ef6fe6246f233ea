// An Engine in a temporary directory, with writes that wait for their acknowledgement.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "index/engine/engine.h"
#include "tests/support/temp_dir.h"

namespace kindred {

// So that GoogleTest shows an answer, not its bytes.
void PrintTo(const Hit& hit, std::ostream* out);

}  // namespace kindred

namespace kindred::test {

EngineOptions OptionsOf(int threads, std::optional<Level> depth = std::nullopt);
SearchRequest Ask(decltype(SearchRequest::query) query, uint32_t k = kNeighboursDefault,
                  Measure measure = Measure::kTanimoto);
Mutation PutOf(const std::string& id, const Graph& graph, WriteMode mode = WriteMode::kUpsert);
Mutation DeleteOf(const std::string& id);

class EngineHarness {
 public:
  enum class Start { kOpen, kClosed };

  explicit EngineHarness(EngineOptions options = {}, Start start = Start::kOpen);

  // How it is opened the next time.
  EngineOptions& options() { return options_; }
  Engine& engine() { return *engine_; }
  Writer& writer() { return engine_->writer(); }
  std::string path() const { return directory_.Sub("index"); }

  // One request; returns when it is durable and published.
  WriteResult Write(std::vector<Mutation> mutations);
  // All in one group, however quick the writer is: it is held up until the last one is queued.
  std::vector<WriteResult> WriteInOneGroup(std::vector<std::vector<Mutation>> requests);
  // Returns when all requests queued so far wait for nothing but their turn.
  void WaitForPreparation();
  Outcome Put(const std::string& id, const Graph& graph, WriteMode mode = WriteMode::kUpsert);
  Outcome Delete(const std::string& id);

  absl::StatusOr<SearchReply> Search(const SearchRequest& request);
  // REQUIRES: the search succeeds.
  std::vector<Hit> Hits(const SearchRequest& request);
  std::shared_ptr<const Snapshot> Newest();

  // Closes the engine. Until Open, only path() may be called.
  void Close() { engine_.reset(); }
  absl::Status Open();
  // REQUIRES: the directory opens.
  void Restart();

 private:
  TempDir directory_;
  EngineOptions options_;
  std::unique_ptr<Engine> engine_;
};

// Everything a store holds, to be compared.
struct StoreContents {
  struct StoredGraph {
    uint64_t id = 0;
    std::string record;     // Encoded.
    std::string histogram;  // Encoded.

    friend bool operator==(const StoredGraph&, const StoredGraph&) = default;
  };

  uint64_t sequence = 0;
  std::vector<std::string> labels;
  std::vector<std::string> colours;
  std::vector<StoredGraph> graphs;

  friend bool operator==(const StoreContents&, const StoreContents&) = default;
};

StoreContents ReadContents(const StoreView& view);
void PrintTo(const StoreContents& contents, std::ostream* out);

}  // namespace kindred::test
