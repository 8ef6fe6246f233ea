#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "client/formats/archive_source.h"
#include "client/formats/input_stream.h"
#include "client/formats/jsonl_reader.h"
#include "client/formats/pb_reader.h"
#include "client/formats/record_reader.h"
#include "client/formats/sdf_reader.h"
#include "client/formats/smiles_reader.h"
#include "client/formats/tu_files.h"
#include "client/formats/tu_reader.h"
#include "fmt/format.h"
#include "index/base/molecule_scheme.h"
#include "index/base/status.h"

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

absl::Status UnknownFormat(const std::string& path, std::string_view reason) {
  return absl::InvalidArgumentError(fmt::format(
      "'{}' has no format known here ({}): there are SMILES, SDF, TU data sets, JSON lines and .pb", path,
      reason));
}

// What the last ending that says something says: molecules.smi.gz is SMILES. kAuto when none does.
Format FormatByName(const std::string& path) {
  static const std::map<std::string, Format, std::less<>> endings = {
      {".smi", Format::kSmiles},       {".smiles", Format::kSmiles},  {".ism", Format::kSmiles},
      {".csv", Format::kSmiles},       {".tsv", Format::kSmiles},     {".sdf", Format::kSdf},
      {".sd", Format::kSdf},           {".mol", Format::kSdf},        {".jsonl", Format::kJsonLines},
      {".ndjson", Format::kJsonLines}, {".json", Format::kJsonLines}, {".pb", Format::kProtobuf},
  };
  for (fs::path file = fs::path(path).filename(); file.has_extension(); file = file.stem()) {
    const std::string ending = absl::AsciiStrToLower(file.extension().string());
    if (const auto known = endings.find(ending); known != endings.end()) return known->second;
  }
  return Format::kAuto;
}

absl::StatusOr<Format> FormatByContent(InputStream& input) {
  const std::string_view begin = input.Peek();
  // An empty input has no records in any format; a damaged one tells so when its lines are read.
  if (begin.starts_with('{')) return Format::kJsonLines;
  if (LooksLikeSdf(begin)) return Format::kSdf;
  if (begin.find('\0') == std::string_view::npos) return Format::kSmiles;
  return UnknownFormat(input.name(), "it is not text");
}

OpenedReader OpenLines(std::unique_ptr<InputStream> input, Format format, const ReadOptions& options) {
  if (format == Format::kJsonLines) return NewJsonLinesReader(std::move(input), options);
  if (!options.required_scheme.empty()) {
    const absl::Status same = CheckSameScheme(ToText(options.molecules), options.required_scheme);
    if (!same.ok()) return Annotate(same, fmt::format("'{}': ", input->name()));
  }
  if (format == Format::kSdf) return NewSdfReader(std::move(input), options);
  return NewSmilesReader(std::move(input), options);
}

absl::Status NotTu(const std::string& path) {
  return absl::InvalidArgumentError(fmt::format(
      "'{}' is not a TU data set: neither a directory, nor a tar or zip archive, nor a file NAME_A.txt",
      path));
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
  if (format == Format::kAuto) format = FormatByName(path);
  if (format == Format::kProtobuf) return OpenPbReader(std::move(source), options);
  absl::StatusOr<std::unique_ptr<InputStream>> input = InputStream::Open(std::move(source));
  if (!input.ok()) return input.status();
  if (format == Format::kAuto) {
    const absl::StatusOr<Format> by_content = FormatByContent(**input);
    if (!by_content.ok()) return by_content.status();
    format = *by_content;
  }
  return OpenLines(*std::move(input), format, options);
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordReader>> OpenRecords(const std::string& path,
                                                          const ReadOptions& options) {
  std::error_code error;
  if (path != "-" && fs::is_directory(path, error)) return OpenDirectory(path, options);
  const bool may_be_tu = options.format == Format::kAuto || options.format == Format::kTu;
  if (may_be_tu && IsTuEdgeFile(path)) return OpenTu(LoadTuBeside(path), options, path);
  absl::StatusOr<std::unique_ptr<ArchiveSource>> source = ArchiveSource::Open(path);
  if (!source.ok()) return source.status();
  return OpenSource(*std::move(source), path, options);
}

}  // namespace kindred::formats
