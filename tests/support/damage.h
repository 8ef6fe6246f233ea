// Damages files as disks and people do.

#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace kindred::test {

// Inverts one byte; twice restores it. REQUIRES: the file has it.
void FlipByte(const std::filesystem::path& file, uint64_t at);
// Overwrites `count` bytes from `at` on with those of another file.
void CopyBytes(const std::filesystem::path& from, const std::filesystem::path& to, uint64_t at,
               uint64_t count);
// The files of a directory and those below whose name ends so; sorted.
std::vector<std::filesystem::path> FilesOf(const std::filesystem::path& directory, const char* ending = "");
// REQUIRES: `to` does not exist.
void CopyDirectory(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace kindred::test
