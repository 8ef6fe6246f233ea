// A directory of its own for one test, removed with everything in it when the test ends. With
// KINDRED_KEEP_FAILED in the environment that of a failed test stays, and its name is printed.

#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

#include "gtest/gtest.h"
#include "index/base/check.h"

namespace kindred::test {

class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kindred-test-XXXXXX").string();
    KINDRED_CHECK(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TempDir() {
    if (std::getenv("KINDRED_KEEP_FAILED") != nullptr && ::testing::Test::HasFailure()) {
      std::cout << "kept: " << path_.string() << std::endl;
      return;
    }
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // A name inside it, for a directory that does not exist yet.
  std::string Sub(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace kindred::test
