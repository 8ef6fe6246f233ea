#include "tests/support/damage.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "index/base/check.h"

namespace kindred::test {

namespace fs = std::filesystem;

void FlipByte(const fs::path& file, uint64_t at) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(at));
  const int byte = stream.get();
  KINDRED_CHECK(byte >= 0);
  stream.seekp(static_cast<std::streamoff>(at));
  stream.put(static_cast<char>(byte ^ 0xff));
}

void CopyBytes(const fs::path& from, const fs::path& to, uint64_t at, uint64_t count) {
  std::ifstream in(from, std::ios::binary);
  std::fstream out(to, std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes(count, '\0');
  in.seekg(static_cast<std::streamoff>(at));
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  out.seekp(static_cast<std::streamoff>(at));
  out.write(bytes.data(), static_cast<std::streamsize>(count));
  KINDRED_CHECK(in.good() && out.good());
}

std::vector<fs::path> FilesOf(const fs::path& directory, const char* ending) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(ending)) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

void CopyDirectory(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive);
}

}  // namespace kindred::test
