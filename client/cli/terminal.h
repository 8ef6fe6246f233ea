// What may be done with an output: nothing but text unless a person looks at it.

#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace kindred::cli {

inline bool IsTerminal(FILE* file) {
  const int fd = ::fileno(file);
  return fd >= 0 && ::isatty(fd) == 1;
}

// On a terminal, unless NO_COLOR (no-color.org) or a dumb terminal says otherwise.
inline bool WantsColour(FILE* file) {
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return IsTerminal(file) && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace kindred::cli
