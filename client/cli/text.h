// Text for people and terminals: how wide it shows, how numbers look, and nothing that a terminal would
// take for a command.
//
// Threads: free functions without state.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kindred::cli {

// Columns of a terminal the text takes: none for a combining mark, two for a wide character.
size_t DisplayWidth(std::string_view text);

// The text as it is, but with control characters and bytes that are not UTF-8 as \xNN: ids, payloads and
// messages come from elsewhere.
std::string Printable(std::string_view text);

// Whether Printable would leave the text as it is.
bool IsPrintable(std::string_view text);

// The shortest text that reads back as the same number; a whole number has no point and no exponent.
std::string FormatNumber(double value);

// The same, written from `at` on; gives its end. REQUIRES: kNumberBytesMax bytes there.
inline constexpr size_t kNumberBytesMax = 32;
char* WriteNumber(char* at, double value);

// "512 bytes", "1.5 KiB", "20.0 GiB".
std::string FormatBytes(uint64_t bytes);

}  // namespace kindred::cli
