// KINDRED_CHECK stops the program when our own code is wrong. Nothing a client, a disk or a clock can
// cause may reach one: that is an absl::Status.

#pragma once

#include <cstdio>
#include <cstdlib>

#define KINDRED_CHECK(condition)                                                         \
  do {                                                                                   \
    if (!(condition)) [[unlikely]] {                                                     \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)
