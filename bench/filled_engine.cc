#include "bench/filled_engine.h"

#include <future>
#include <thread>
#include <utility>

#include "bench/clock.h"
#include "fmt/format.h"
#include "index/base/check.h"

namespace kindred::bench {
namespace {

void Store(Engine& engine, MoleculeSource& source, uint64_t stored, uint32_t size) {
  std::future<void> last;
  while (stored < size) {
    auto done = std::make_shared<std::promise<void>>();
    WriteRequest request;
    for (int i = 0; i < 2048 && stored < size; ++i) {
      auto record = source.Next();
      if (!record) {
        fmt::print("the data end at {} graphs\n", stored);
        size = 0;
        break;
      }
      std::string id = record->external_id;
      request.mutations.push_back({std::move(id), *std::move(record), WriteMode::kUpsert});
      ++stored;
    }
    request.done = [done](WriteResult result) {
      KINDRED_CHECK(result.status.ok());
      done->set_value();
    };
    if (last.valid()) {
      last.wait();
    }
    last = done->get_future();
    engine.writer().Submit(std::move(request));
  }
  if (last.valid()) {
    last.wait();
  }
}

}  // namespace

std::unique_ptr<Engine> OpenEngine(const std::string& data_dir) {
  auto directory = DataDirectory::Open(data_dir);
  KINDRED_CHECK(directory.ok());
  EngineOptions options;
  options.threads = static_cast<int>(std::thread::hardware_concurrency());
  auto engine = Engine::Open(*std::move(directory), options);
  KINDRED_CHECK(engine.ok());
  return *std::move(engine);
}

void Fill(Engine& engine, MoleculeSource& source, uint32_t size) {
  const auto begin = Clock::now();
  const uint64_t before = engine.stats().graphs;
  Store(engine, source, before, size);
  const auto stored = Clock::now();
  engine.writer().merger().Settle();
  const EngineStats stats = engine.stats();
  fmt::print(
      "\n{} graphs: {:.1f} s to store {}, {:.1f} s to settle; {} segments, {:.1f} bytes a graph "
      "(lists and ids {:.1f})\n",
      stats.graphs, Seconds(stored - begin), stats.graphs - before, Seconds(Clock::now() - stored),
      stats.segments, static_cast<double>(stats.memory_bytes) / static_cast<double>(stats.graphs),
      static_cast<double>(stats.segment_bytes) / static_cast<double>(stats.graphs));
}

}  // namespace kindred::bench
