#include "client/cli/text.h"

#include <locale.h>  // NOLINT(modernize-deprecated-headers): uselocale is POSIX, not C++.

#include <array>
#include <charconv>
#include <cmath>
#include <cwchar>

#include "fmt/format.h"

namespace kindred::cli {
namespace {

// wcwidth and mbrtowc follow the locale of the thread; ours is always UTF-8, whatever the user's is.
class Utf8Scope {
 public:
  Utf8Scope() : before_(uselocale(Utf8())) {}
  ~Utf8Scope() { uselocale(before_); }
  Utf8Scope(const Utf8Scope&) = delete;
  Utf8Scope& operator=(const Utf8Scope&) = delete;

 private:
  static locale_t Utf8() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
    return locale;
  }

  const locale_t before_;
};

// Calls take(bytes, width) for each character; the width is -1 for a control character or a byte that is
// not UTF-8.
template <typename Taker>
void ForEachCharacter(std::string_view text, const Taker& take) {
  const Utf8Scope utf8;
  while (!text.empty()) {
    wchar_t character = 0;
    std::mbstate_t state{};
    size_t length = std::mbrtowc(&character, text.data(), text.size(), &state);
    const bool valid = length > 0 && length <= text.size();
    if (!valid) {
      length = 1;  // NUL, too, which has the length 0.
    }
    take(text.substr(0, length), valid ? ::wcwidth(character) : -1);
    text.remove_prefix(length);
  }
}

}  // namespace

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  ForEachCharacter(text, [&width](std::string_view, int columns) {
    width += columns > 0 ? static_cast<size_t>(columns) : 0;
  });
  return width;
}

std::string Printable(std::string_view text) {
  std::string printable;
  ForEachCharacter(text, [&printable](std::string_view bytes, int columns) {
    if (columns >= 0) {
      printable += bytes;
      return;
    }
    for (const char byte : bytes) {
      printable += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
  });
  return printable;
}

bool IsPrintable(std::string_view text) {
  bool printable = true;
  ForEachCharacter(text,
                   [&printable](std::string_view, int columns) { printable = printable && columns >= 0; });
  return printable;
}

std::string FormatNumber(double value) {
  std::array<char, kNumberBytesMax> buffer;
  return std::string(buffer.data(), WriteNumber(buffer.data(), value));
}

char* WriteNumber(char* at, double value) {
  constexpr double kWholeMax = 9007199254740992.0;  // 2^53: up to here a double knows its ones.
  const bool whole = std::trunc(value) == value && std::abs(value) <= kWholeMax;
  return whole ? std::to_chars(at, at + kNumberBytesMax, static_cast<int64_t>(value)).ptr
               : std::to_chars(at, at + kNumberBytesMax, value).ptr;
}

std::string FormatBytes(uint64_t bytes) {
  constexpr std::array<const char*, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) {
    return fmt::format("{} bytes", bytes);
  }
  double amount = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit) {
    amount /= 1024;
  }
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

}  // namespace kindred::cli
