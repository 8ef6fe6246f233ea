// Long work that can only be told to stop, done for a caller who can only be asked whether it should.
//
// Merges and RocksDB's compactions take a token or a flag; a call has an Interrupt. The work runs on a thread
// of its own, of the last priority, while the caller's looks at the interrupt.
//
// Threads: `work` on its own, `beat` on the caller's.
// Cost: a thread; stopping is noticed within kWatchEvery, and takes as long as the work takes to notice.

#pragma once

#include <chrono>
#include <functional>
#include <stop_token>

#include "absl/status/status.h"
#include "index/base/interrupt.h"

namespace kindred {

inline constexpr std::chrono::milliseconds kWatchEvery{50};

// Returns when the work is done: OK, or what the interrupt said when it was told to stop. `beat` is called at
// every look.
absl::Status RunWatched(const Interrupt& interrupt, const std::function<void()>& beat,
                        const std::function<void(const std::stop_token&)>& work);

}  // namespace kindred
