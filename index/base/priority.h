// How much a thread counts when there is more to do than there are cores. Searches come first: someone waits
// for them.
//
// Threads: any; each sets its own.

#pragma once

namespace kindred {

enum class Priority {
  kFirst,   // Searches, commits.
  kSecond,  // What makes writes ready to be committed, and merges.
  kLast,    // What can wait for ever: it gets what the others leave.
};

// Of the calling thread, until it ends; may only be lowered. A system that does not know of threads'
// priorities ignores it.
void SetPriority(Priority priority);

}  // namespace kindred
