// Runs the command line in this process and gives what it printed.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "client/cli/app.h"
#include "gtest/gtest.h"
#include "tests/unit/client/fake_index.h"

namespace kindred::cli {

// What is written to a FILE, in memory.
class MemoryFile {
 public:
  MemoryFile() : file_(::open_memstream(&text_, &size_)) {}
  ~MemoryFile() {
    std::fclose(file_);
    std::free(text_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  FILE* get() const { return file_; }
  std::string Text() {
    std::fflush(file_);
    return std::string(text_, size_);
  }

 private:
  char* text_ = nullptr;
  size_t size_ = 0;
  FILE* file_;
};

struct CliResult {
  int code = 0;
  std::string out;
  std::string err;
};

inline CliResult RunCli(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"kindred"};
  for (const std::string& word : words) {
    argv.push_back(word.c_str());
  }
  MemoryFile out;
  MemoryFile err;
  const ExitCode code = RunCommandLine(static_cast<int>(argv.size()), argv.data(), out.get(), err.get());
  return {static_cast<int>(code), out.Text(), err.Text()};
}

// A fake daemon and a directory for files; Run adds --server.
class CliTest : public testing::Test {
 protected:
  CliTest() {
    std::string name = testing::TempDir() + "/kindred_cli_XXXXXX";
    directory_ = ::mkdtemp(name.data());
  }
  ~CliTest() override { std::filesystem::remove_all(directory_); }

  CliResult Run(std::vector<std::string> words) {
    words.insert(words.end(), {"--server", server_.address()});
    return RunCli(words);
  }

  std::string Path(const std::string& name) const { return directory_ + "/" + name; }

  std::string WriteFile(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }

  static std::string ReadFile(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  client::FakeServer server_;

 private:
  std::string directory_;
};

}  // namespace kindred::cli
