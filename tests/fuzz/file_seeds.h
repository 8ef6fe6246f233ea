// Files as people have them: compressed, and in archives.

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kindred::fuzz {

std::string Gzipped(const std::string& bytes);
std::string Tar(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace kindred::fuzz
