// Where the source tree, the build tree and the programs under test are.
//
// Kept in one small .cc file, so that no other file depends on where the tree lies: a compiler cache then
// serves every clone.

#pragma once

#include <filesystem>
#include <string>

namespace kindred::test {

std::filesystem::path SourceDir();
std::filesystem::path BinaryDir();
std::string KindreddPath();
std::string KindredPath();

}  // namespace kindred::test
