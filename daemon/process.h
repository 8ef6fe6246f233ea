// What the daemon asks of, and knows about, its own process.

#pragma once

#include <cstdint>

namespace kindred::daemon {

// The resident set; 0 where /proc does not tell.
uint64_t ResidentBytes();

// Opens /dev/null in place of standard files that were closed. The next file to be opened would get their
// number, and what is printed would be written into it: into the data.
void FillClosedStandardFiles();

// Raises the soft limit of open files to the hard one: each connection is one.
void RaiseFileLimit();

// How many files the process may have open.
uint64_t OpenFilesMax();

// When nothing can be done but end, says so on standard error without needing memory: that it was for lack of
// memory, if so. The process is then aborted.
void TellWhenTerminated();

}  // namespace kindred::daemon
