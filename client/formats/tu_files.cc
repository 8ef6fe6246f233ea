#include "client/formats/tu_files.h"

#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEdges = "_A.txt";
constexpr std::string_view kIndicator = "_graph_indicator.txt";
constexpr std::string_view kGraphLabels = "_graph_labels.txt";
constexpr std::string_view kNodeLabels = "_node_labels.txt";
constexpr std::string_view kEdgeLabels = "_edge_labels.txt";
constexpr std::array kEndings = {kEdges, kIndicator, kGraphLabels, kNodeLabels, kEdgeLabels};

// By file name, without folders.
using Texts = std::map<std::string, std::string>;

bool IsWanted(std::string_view file) {
  if (file.starts_with('.')) return false;  // What macOS puts beside the files of an archive.
  for (const std::string_view ending : kEndings) {
    if (file.size() > ending.size() && file.ends_with(ending)) return true;
  }
  return false;
}

std::string SetName(const std::string& edge_file) {
  return edge_file.substr(0, edge_file.size() - kEdges.size());
}

absl::StatusOr<std::string> ReadText(ArchiveSource& source, const std::string& file) {
  std::string text;
  while (true) {
    const absl::StatusOr<std::string_view> block = source.NextBlock();
    if (!block.ok()) return block.status();
    if (block->empty()) return text;
    if (text.size() + block->size() > kTuFileBytesMax) {
      return absl::ResourceExhaustedError(fmt::format("'{}' has more than {} bytes", file, kTuFileBytesMax));
    }
    text.append(*block);
  }
}

absl::StatusOr<std::string> ReadFile(const fs::path& path) {
  absl::StatusOr<std::unique_ptr<ArchiveSource>> source = ArchiveSource::Open(path.string());
  if (!source.ok()) return source.status();
  return ReadText(**source, path.string());
}

// The name of the one data set among the files.
absl::StatusOr<std::string> OnlySet(const Texts& texts, const std::string& where) {
  std::string name;
  for (const auto& [file, text] : texts) {
    if (!file.ends_with(kEdges)) continue;
    if (!name.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("'{}' holds several TU data sets ({}, {}): give the path of one NAME{}", where, name,
                      SetName(file), kEdges));
    }
    name = SetName(file);
  }
  if (!name.empty()) return name;
  return absl::InvalidArgumentError(
      fmt::format("'{}' is not a TU data set: no file NAME{} is in it", where, kEdges));
}

absl::StatusOr<TuFiles> Assemble(const std::string& name, Texts texts, const std::string& where) {
  const auto take = [&](std::string_view ending) -> std::optional<std::string> {
    const auto file = texts.find(name + std::string(ending));
    if (file == texts.end()) return std::nullopt;
    return std::move(file->second);
  };
  std::optional<std::string> edges = take(kEdges);
  std::optional<std::string> indicator = take(kIndicator);
  if (!edges.has_value() || !indicator.has_value()) {
    return absl::InvalidArgumentError(fmt::format("'{}' is not a TU data set: {}{} is missing", where, name,
                                                  edges.has_value() ? kIndicator : kEdges));
  }
  return TuFiles{name,
                 *std::move(edges),
                 *std::move(indicator),
                 take(kGraphLabels),
                 take(kNodeLabels),
                 take(kEdgeLabels)};
}

// The names of the wanted files of a directory, without text.
absl::StatusOr<Texts> ListDirectory(const std::string& path) {
  std::error_code error;
  Texts files;
  fs::directory_iterator at(path, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string file = at->path().filename().string();
    if (IsWanted(file)) files.emplace(file, "");
  }
  if (error) return absl::ErrnoToStatus(error.value(), fmt::format("cannot read '{}'", path));
  return files;
}

absl::StatusOr<TuFiles> LoadNamed(const fs::path& folder, const std::string& name) {
  Texts texts;
  for (const std::string_view ending : kEndings) {
    const std::string file = name + std::string(ending);
    std::error_code error;
    if (!fs::exists(folder / file, error)) continue;
    absl::StatusOr<std::string> text = ReadFile(folder / file);
    if (!text.ok()) return text.status();
    texts.emplace(file, *std::move(text));
  }
  return Assemble(name, std::move(texts), folder.string());
}

}  // namespace

bool IsTuEdgeFile(const std::string& path) {
  const std::string file = fs::path(path).filename().string();
  return file.size() > kEdges.size() && file.ends_with(kEdges);
}

absl::StatusOr<TuFiles> LoadTuDirectory(const std::string& path) {
  const absl::StatusOr<Texts> files = ListDirectory(path);
  if (!files.ok()) return files.status();
  const absl::StatusOr<std::string> name = OnlySet(*files, path);
  if (!name.ok()) return name.status();
  return LoadNamed(path, *name);
}

absl::StatusOr<TuFiles> LoadTuBeside(const std::string& path) {
  // Opened first for the better message when it is missing.
  const absl::StatusOr<std::unique_ptr<ArchiveSource>> source = ArchiveSource::Open(path);
  if (!source.ok()) return source.status();
  const fs::path file(path);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  return LoadNamed(folder, SetName(file.filename().string()));
}

absl::StatusOr<TuFiles> LoadTuArchive(ArchiveSource& source) {
  Texts texts;
  while (true) {
    const absl::StatusOr<std::optional<std::string>> path = source.NextFile();
    if (!path.ok()) return path.status();
    if (!path->has_value()) break;
    const std::string file = fs::path(**path).filename().string();
    if (!IsWanted(file)) continue;
    absl::StatusOr<std::string> text = ReadText(source, **path);
    if (!text.ok()) return text.status();
    if (!texts.emplace(file, *std::move(text)).second) {
      return absl::InvalidArgumentError(fmt::format("'{}' holds two files {}", source.name(), file));
    }
  }
  const absl::StatusOr<std::string> name = OnlySet(texts, source.name());
  if (!name.ok()) return name.status();
  return Assemble(*name, std::move(texts), source.name());
}

}  // namespace kindred::formats
