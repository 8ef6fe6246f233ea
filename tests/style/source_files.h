// The files of the project, for tests about them.

#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/paths.h"

namespace kindred::test {

inline std::filesystem::path SourceRoot() { return SourceDir(); }

// Paths below `folder` with one of the extensions, relative to the root.
inline std::vector<std::string> SourceFiles(const std::string& folder,
                                            const std::vector<std::string>& extensions) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SourceRoot() / folder)) {
    for (const std::string& extension : extensions) {
      if (entry.path().extension() == extension) {
        files.push_back(std::filesystem::relative(entry.path(), SourceRoot()).string());
      }
    }
  }
  return files;
}

inline std::vector<std::string> Lines(const std::string& file) {
  std::ifstream in(SourceRoot() / file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

}  // namespace kindred::test
