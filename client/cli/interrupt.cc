#include "client/cli/interrupt.h"

#include <atomic>

namespace kindred::cli {
namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // A signal handler sets it.

}  // namespace

InterruptScope::InterruptScope() {
  g_interrupted = false;
  struct sigaction action {};
  action.sa_handler = [](int) { g_interrupted = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_);
  if (before_.sa_handler == SIG_IGN) {
    sigaction(SIGINT, &before_, nullptr);  // Started in the background by a shell: stay deaf.
  }
}

InterruptScope::~InterruptScope() { sigaction(SIGINT, &before_, nullptr); }

bool InterruptScope::interrupted() const { return g_interrupted; }

}  // namespace kindred::cli
