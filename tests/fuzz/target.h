// What is fuzzed: functions that take any bytes, and what must hold whatever these are.
//
// A target is run by libFuzzer (fuzz_main.cc, one program each; scripts/campaign fuzz) and, over its corpus
// and over mutations of it, by an ordinary test (replay_test.cc). It throws Broken where a property does not
// hold.
//
// Threads: targets keep nothing between two calls; one call at a time.

#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace kindred::fuzz {

struct Target {
  const char* name;
  void (*run)(std::string_view bytes);
  // Bytes that are right, or nearly so: what fuzzing starts from, and what the corpus is made of.
  std::vector<std::string> (*seeds)();
  // How many mutations a test tries: fewer where one takes milliseconds.
  int mutations = 2'000;
};

const std::vector<Target>& StoreTargets();   // What is read from the disk.
const std::vector<Target>& QueryTargets();   // Graphs and filters of a client.
const std::vector<Target>& FormatTargets();  // Files of graphs.
const std::vector<Target>& DaemonTargets();  // Requests before they are parsed, and tokens.
std::vector<Target> AllTargets();

class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void Require(bool holds, const std::string& what) {
  if (!holds) {
    throw Broken(what);
  }
}

// An error has one of these codes, and says something.
inline void RequireError(const absl::Status& status, std::initializer_list<absl::StatusCode> codes) {
  bool known = false;
  for (const absl::StatusCode code : codes) {
    known = known || status.code() == code;
  }
  Require(known, "an error of an unexpected kind: " + status.ToString());
  Require(!status.message().empty(), "an error without a message");
}

}  // namespace kindred::fuzz
