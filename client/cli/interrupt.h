// Ctrl-C as a question: while an InterruptScope lives, the first SIGINT is only remembered. The second
// ends the process, as ever.
//
// Threads: one scope at a time; interrupted() from any thread.

#pragma once

#include <csignal>

namespace kindred::cli {

class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  bool interrupted() const;

 private:
  struct sigaction before_ {};
};

}  // namespace kindred::cli
