// The options that say how graphs are read from files, the same for every command that reads some.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "client/formats/record_reader.h"

namespace kindred::cli {

enum class OnError { kSkip, kStop };

// How files are read. What is not said of molecules is as the index has it, or the default.
struct ReadFlags {
  formats::ReadOptions options;
  std::optional<formats::AtomLabels> labels;
  std::optional<bool> edge_labels;
  std::optional<bool> hydrogens;
  std::optional<bool> largest_fragment;
};

// Of a command that reads all records of some files.
struct RecordFlags {
  std::vector<std::string> files;
  ReadFlags read;
  OnError on_error = OnError::kSkip;
  bool verbose = false;
  std::vector<std::string> tags;  // KEY=VALUE, for every record.
};

// `format_name`: another for a command whose --format is that of its output.
void AddReadFlags(CLI::App& app, ReadFlags& flags, const std::string& format_name = "--format");

// The options for an index whose molecules are of the scheme `of_index`; empty: of one that has none, or of
// no index. Flags that say otherwise win, so that whoever opens a file of molecules is told
// (required_scheme). FAILED_PRECONDITION: a scheme that this kindred does not know.
absl::StatusOr<formats::ReadOptions> ReadOptionsFor(const ReadFlags& flags, const std::string& of_index);

// All of RecordFlags but the files; `on_stop` says what becomes of the records before the one rejected.
void AddRecordFlags(CLI::App& app, RecordFlags& flags, const std::string& on_stop,
                    const std::string& format_name = "--format");

// What has to stand behind a serialised record, so that it has these tags as well: messages that stand one
// after the other are one, with the tags of both.
std::string TagSuffix(const std::vector<std::string>& tags);

// Any number of words that are not options, at least one.
CLI::Option* AddWords(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                      const std::string& description);

}  // namespace kindred::cli
