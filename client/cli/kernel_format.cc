#include "client/cli/kernel_format.h"

#include <bit>
#include <charconv>

#include "client/cli/json.h"
#include "client/cli/text.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr std::string_view kNoClass = "0";
// A header of .npy ends at a multiple of this.
constexpr size_t kNpyAlignment = 64;

// Appends the values, each behind what `begin` writes, and an end of line. Most of the time for a matrix from
// a file goes into this, so that it writes without looking for room at each entry.
template <typename Begin>  // char* (char* at, size_t column), at most kNumberBytesMax + 2 bytes
void AppendEntries(std::span<const double> values, std::string& line, Begin begin) {
  const size_t before = line.size();
  line.resize(before + values.size() * (2 * kNumberBytesMax + 2) + 1);
  char* at = line.data() + before;
  for (size_t column = 0; column < values.size(); ++column) {
    at = WriteNumber(begin(at, column), values[column]);
  }
  *at++ = '\n';
  line.resize(static_cast<size_t>(at - line.data()));
  line.shrink_to_fit();  // Most entries are short, and many rows wait to be written.
}

absl::StatusOr<std::string> LibsvmRow(const MatrixRow& row) {
  if (row.tag.find_first_of(" \t\r\n") != std::string_view::npos) {
    return InvalidArgument("the class of \"{}\" is \"{}\", which is not one word; choose another --class-tag",
                           row.id, row.tag);
  }
  std::string line = fmt::format("{} 0:{}", row.tag.empty() ? kNoClass : row.tag, row.index + 1);
  AppendEntries(row.values, line, [](char* at, size_t column) {
    *at++ = ' ';
    at = std::to_chars(at, at + kNumberBytesMax, column + 1).ptr;
    *at++ = ':';
    return at;
  });
  return line;
}

std::string CsvRow(const MatrixRow& row) {
  std::string line = CsvField(row.id);
  AppendEntries(row.values, line, [](char* at, size_t /*column*/) {
    *at++ = ',';
    return at;
  });
  return line;
}

std::string NpyRow(const MatrixRow& row) {
  return {reinterpret_cast<const char*>(row.values.data()), row.values.size_bytes()};
}

std::string JsonRow(const MatrixRow& row) {
  Json values = Json::array();
  for (const double value : row.values) {
    values.push_back(JsonNumber(value));
  }
  return JsonLine({{"id", row.id}, {"class", row.tag}, {"values", values}});
}

}  // namespace

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string CsvHeader(const std::vector<std::string>& ids) {
  std::string line = "id";
  for (const std::string& id : ids) {
    line += "," + CsvField(id);
  }
  return line + "\n";
}

std::string NpyHeader(uint64_t rows) {
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
  std::string fields = fmt::format("{{'descr': '{}f8', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   std::endian::native == std::endian::little ? '<' : '>', rows, rows);
  const size_t before = kMagic.size() + 2;
  const size_t unpadded = before + fields.size() + 1;
  fields.append((kNpyAlignment - unpadded % kNpyAlignment) % kNpyAlignment, ' ');
  fields += '\n';
  std::string header(kMagic);
  header += static_cast<char>(fields.size() & 0xff);
  header += static_cast<char>(fields.size() >> 8);
  return header + fields;
}

absl::StatusOr<std::string> FormatRow(const MatrixRow& row, KernelFormat format) {
  switch (format) {
    case KernelFormat::kLibsvm:
      return LibsvmRow(row);
    case KernelFormat::kCsv:
      return CsvRow(row);
    case KernelFormat::kNpy:
      return NpyRow(row);
    case KernelFormat::kJsonLines:
      return JsonRow(row);
  }
  return absl::InternalError("unknown format");
}

}  // namespace kindred::cli
