// Files for the tests of the readers: made in a temporary directory, or taken from the shared data.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/formats/record_reader.h"

namespace kindred::formats {

enum class Compression { kNone, kGzip, kXz, kZstd, kBzip2 };
enum class Container { kTar, kZip };

// A directory of its own, removed with everything in it.
class TestFiles {
 public:
  TestFiles();
  ~TestFiles();
  TestFiles(const TestFiles&) = delete;
  TestFiles& operator=(const TestFiles&) = delete;

  const std::string& directory() const { return directory_; }
  std::string Path(std::string_view file) const;

  // Each gives the path of what it wrote. Folders in `file` are made.
  std::string Write(std::string_view file, std::string_view bytes) const;
  std::string WriteCompressed(std::string_view file, Compression compression, std::string_view text) const;
  std::string WriteArchive(std::string_view file, Container container, Compression compression,
                           const std::vector<std::pair<std::string, std::string>>& files) const;

 private:
  std::string directory_;
};

std::string ReadBytes(const std::string& path);

// Puts a file descriptor in the place of standard input while it lives; closes the descriptor at once.
class StandardInput {
 public:
  explicit StandardInput(int fd);
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int kept_;
};

// The records to the end of the input.
std::vector<ReadResult> ReadAll(RecordReader& reader);
std::vector<ReadResult> ReadAll(const std::string& path, const ReadOptions& options = {});

// "line 3: the message", or "line 3: id" for a record that is fine.
std::vector<std::string> Summary(const std::vector<ReadResult>& results);

std::string Message(const absl::Status& status);

// A path in the shared data (KINDRED_SHARED_DIR, or the directory `shared` beside the repository); empty when
// it is not there.
std::string SharedPath(std::string_view path);

}  // namespace kindred::formats

// Ends the test when the shared data is not on this machine.
#define KINDRED_SKIP_WITHOUT(path)                                                      \
  if ((path).empty())                                                                   \
  GTEST_SKIP() << "no shared data: set KINDRED_SHARED_DIR to the directory that holds " \
                  "it"
