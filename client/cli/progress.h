// One line on a terminal that says how far a long command is; nothing at all elsewhere.
//
// Threads: one caller at a time.
// Cost: draws at most ten times a second.

#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace kindred::cli {

class Progress {
 public:
  // `noun` is what is counted: "records".
  Progress(FILE* err, bool enabled, std::string noun);
  // Removes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `where` stands at the end of the line: a file.
  void Update(uint64_t count, std::string_view where = {});

  // Removes the line, to print something else in its place; the next Update draws it again.
  void Clear();

 private:
  FILE* const err_;
  const bool enabled_;
  const std::string noun_;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_;
  bool visible_ = false;
};

// "249455 records  8510/s  0:29".
std::string ProgressLine(uint64_t count, std::string_view noun, std::chrono::milliseconds elapsed);

}  // namespace kindred::cli
