// A real daemon beside its model: every step does the same to both, and compares what it is told.
//
// A failure is a failure of the running test. Threads: steps one at a time; some use threads of their own.

#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/integration/daemon_process.h"
#include "tests/model/chooser.h"
#include "tests/model/world.h"

namespace kindred::test {

class Session {
 public:
  static constexpr Level kDepth = 2;

  // `ids`: of how many the writes choose.
  Session(std::string data_dir, uint64_t ids);

  // One step, which depends on this seed and on the model alone; tells what it did.
  std::string Step(uint64_t seed);
  // That the daemon still has everything, now and after a stop; and that verify finds nothing.
  void End();

 private:
  using StepFunction = std::string (Session::*)(Chooser&);

  // Writes (write_steps.cc).
  std::string Put(Chooser& choose);
  std::string Delete(Chooser& choose);
  std::string PutIfNovel(Chooser& choose);
  std::string PutAtOnce(Chooser& choose);
  // Streams of writes (ingest_steps.cc).
  std::string Ingest(Chooser& choose);
  std::string RefusedIngest(Chooser& choose);
  // Reads (search_steps.cc, read_steps.cc).
  std::string Search(Chooser& choose);
  std::string SearchPages(Chooser& choose);
  std::string SearchMany(Chooser& choose);
  std::string SearchAtOnce(Chooser& choose);
  std::string Recommend(Chooser& choose);
  std::string Get(Chooser& choose);
  std::string Pairs(Chooser& choose);
  std::string Clusters(Chooser& choose);
  std::string Watch(Chooser& choose);
  std::string Stats(Chooser& choose);
  std::string Export(Chooser& choose);
  // Faults (fault_steps.cc).
  std::string Cancel(Chooser& choose);
  std::string Hurry(Chooser& choose);
  std::string Restart(Chooser& choose);
  std::string Kill(Chooser& choose);
  std::string KillWhileWriting(Chooser& choose);

  v1::Index::Stub& stub(Chooser& choose) { return *stubs_[choose.Below(stubs_.size())]; }
  void Start();
  void ExpectContents();
  void ExpectRecord(const v1::Record& told, const std::string& id) const;

  struct Asked {
    v1::SearchRequest request;
    std::vector<Hit> expected;  // All of them, also those beyond k.
    uint32_t k = 0;
  };
  Asked AskSearch(Chooser& choose) const;
  void ExpectHits(const v1::SearchResponse& told, const Asked& asked, size_t from = 0) const;

  // What a client with a name has sent.
  struct Source {
    uint64_t position = 0;
    std::map<uint64_t, v1::IngestFrame> frames;
  };
  struct Sent;
  v1::IngestFrame NewFrame(Chooser& choose, uint64_t number, v1::WriteMode mode, Sent& sent);

  const std::string data_dir_;
  const uint64_t ids_;
  World world_{kDepth};
  std::array<Source, 3> sources_;
  std::unique_ptr<DaemonProcess> daemon_;
  std::array<std::unique_ptr<v1::Index::Stub>, 3> stubs_;
};

}  // namespace kindred::test
