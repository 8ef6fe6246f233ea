#include "client/cli/kernel_format.h"

#include "client/cli/json.h"
#include "client/cli/text.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr std::string_view kNoClass = "0";

absl::StatusOr<std::string> LibsvmRow(const v1::KernelRow& row) {
  if (row.tag().find_first_of(" \t\r\n") != std::string::npos) {
    return InvalidArgument("the class of \"{}\" is \"{}\", which is not one word; choose another --class-tag",
                           row.id(), row.tag());
  }
  std::string line = fmt::format("{} 0:{}", row.tag().empty() ? kNoClass : row.tag(), row.index() + 1);
  for (int i = 0; i < row.values_size(); ++i) {
    line += fmt::format(" {}:{}", i + 1, FormatNumber(row.values(i)));
  }
  return line + "\n";
}

std::string CsvRow(const v1::KernelRow& row) {
  std::string line = CsvField(row.id());
  for (const double value : row.values()) {
    line += "," + FormatNumber(value);
  }
  return line + "\n";
}

std::string JsonRow(const v1::KernelRow& row) {
  Json values = Json::array();
  for (const double value : row.values()) {
    values.push_back(JsonNumber(value));
  }
  return JsonLine({{"id", row.id()}, {"class", row.tag()}, {"values", values}});
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

absl::StatusOr<std::string> FormatRow(const v1::KernelRow& row, KernelFormat format) {
  switch (format) {
    case KernelFormat::kLibsvm:
      return LibsvmRow(row);
    case KernelFormat::kCsv:
      return CsvRow(row);
    case KernelFormat::kJsonLines:
      return JsonRow(row);
  }
  return absl::InternalError("unknown format");
}

}  // namespace kindred::cli
