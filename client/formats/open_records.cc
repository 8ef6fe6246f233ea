#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "client/formats/archive_source.h"
#include "client/formats/input_stream.h"
#include "client/formats/jsonl_reader.h"
#include "client/formats/record_reader.h"
#include "client/formats/smiles_reader.h"
#include "client/formats/tu_files.h"
#include "client/formats/tu_reader.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

namespace fs = std::filesystem;

using OpenedReader = absl::StatusOr<std::unique_ptr<RecordReader>>;

OpenedReader OpenTu(absl::StatusOr<TuFiles> files, const ReadOptions& options, const std::string& path) {
  if (!files.ok()) return files.status();
  OpenedReader reader = NewTuReader(*std::move(files), options);
  if (reader.ok()) return reader;
  return absl::Status(reader.status().code(),
                      fmt::format("'{}': {}", path, std::string(reader.status().message())));
}

// The last ending of the name that says something: molecules.smi.gz is SMILES.
std::optional<Format> FormatByName(const std::string& path) {
  constexpr std::array<std::string_view, 4> kSmilesEndings = {".smi", ".smiles", ".ism", ".csv"};
  constexpr std::array<std::string_view, 3> kJsonEndings = {".jsonl", ".ndjson", ".json"};
  fs::path file = fs::path(path).filename();
  for (; file.has_extension(); file = file.stem()) {
    std::string ending = file.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (std::find(kSmilesEndings.begin(), kSmilesEndings.end(), ending) != kSmilesEndings.end()) {
      return Format::kSmiles;
    }
    if (std::find(kJsonEndings.begin(), kJsonEndings.end(), ending) != kJsonEndings.end()) {
      return Format::kJsonLines;
    }
  }
  return std::nullopt;
}

absl::StatusOr<Format> FormatByContent(InputStream& input) {
  const std::string_view begin = input.Peek();
  // An empty input has no records in any format; a damaged one tells so when its lines are read.
  if (begin.starts_with('{')) return Format::kJsonLines;
  if (begin.find('\0') == std::string_view::npos) return Format::kSmiles;
  return absl::InvalidArgumentError(
      fmt::format("cannot tell the format of '{}': neither its name says so nor is it text; formats are SMILES, "
                  "TU data sets and JSON lines",
                  input.name()));
}

OpenedReader OpenLines(std::unique_ptr<InputStream> input, Format format, const ReadOptions& options) {
  if (format == Format::kJsonLines) return NewJsonLinesReader(std::move(input), options);
  return NewSmilesReader(std::move(input), options);
}

absl::Status NotTu(const std::string& path) {
  return absl::InvalidArgumentError(fmt::format(
      "'{}' is not a TU data set: neither a directory, nor a tar or zip archive, nor a file NAME_A.txt", path));
}

OpenedReader OpenDirectory(const std::string& path, const ReadOptions& options) {
  if (options.format == Format::kAuto || options.format == Format::kTu) {
    return OpenTu(LoadTuDirectory(path), options, path);
  }
  return absl::InvalidArgumentError(
      fmt::format("'{}' is a directory: only a TU data set is read from a directory", path));
}

OpenedReader OpenSource(std::unique_ptr<ArchiveSource> source, const std::string& path,
                        const ReadOptions& options) {
  Format format = options.format;
  if (source->is_archive() && (format == Format::kAuto || format == Format::kTu)) {
    return OpenTu(LoadTuArchive(*source), options, source->name());
  }
  if (format == Format::kTu) return NotTu(source->name());
  absl::StatusOr<std::unique_ptr<InputStream>> input = InputStream::Open(std::move(source));
  if (!input.ok()) return input.status();
  if (format == Format::kAuto) {
    const std::optional<Format> by_name = FormatByName(path);
    const absl::StatusOr<Format> found = by_name.has_value() ? *by_name : FormatByContent(**input);
    if (!found.ok()) return found.status();
    format = *found;
  }
  return OpenLines(*std::move(input), format, options);
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordReader>> OpenRecords(const std::string& path, const ReadOptions& options) {
  std::error_code error;
  if (path != "-" && fs::is_directory(path, error)) return OpenDirectory(path, options);
  const bool may_be_tu = options.format == Format::kAuto || options.format == Format::kTu;
  if (may_be_tu && IsTuEdgeFile(path)) return OpenTu(LoadTuBeside(path), options, path);
  absl::StatusOr<std::unique_ptr<ArchiveSource>> source = ArchiveSource::Open(path);
  if (!source.ok()) return source.status();
  return OpenSource(*std::move(source), path, options);
}

}  // namespace kindred::formats
