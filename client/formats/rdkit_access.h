// Keeps RDKit quiet, and lets us hear what it has to say.
//
// RDKit throws when it cannot sanitize a molecule, but of a SMILES that it cannot parse it says why only in
// its log, of which there is one a process (and none until someone makes it: RDKit is silent here). So that
// SMILES is parsed once more with a log of its own, while nobody else parses.
//
// Threads: everything from any thread. Whatever calls RDKit holds Shared(), or Alone() with an RdkitErrors.

#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string>

namespace boost::logging {
class rdLogger;
}

namespace kindred::formats {

class RdkitAccess {
 public:
  static std::shared_lock<std::shared_mutex> Shared();
  static std::unique_lock<std::shared_mutex> Alone();

 private:
  static inline std::mutex queue_;
  static inline std::shared_mutex log_;
};

// RDKit's log of errors while it lives. REQUIRES: RdkitAccess::Alone() is held.
class RdkitErrors {
 public:
  RdkitErrors();
  ~RdkitErrors();
  RdkitErrors(const RdkitErrors&) = delete;
  RdkitErrors& operator=(const RdkitErrors&) = delete;

  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  const std::shared_ptr<boost::logging::rdLogger> before_;
};

// One line of at most 200 bytes: RDKit lists every atom concerned, some of its messages in several lines.
std::string RdkitReason(std::string text);

}  // namespace kindred::formats
