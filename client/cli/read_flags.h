// The options that say how graphs are read from files, the same for every command that reads some.

#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "client/formats/record_reader.h"

namespace kindred::cli {

enum class OnError { kSkip, kStop };

// Of a command that reads all records of some files.
struct RecordFlags {
  std::vector<std::string> files;
  formats::ReadOptions read;
  std::string labels = "element";
  OnError on_error = OnError::kSkip;
  bool verbose = false;
};

void AddFormatFlag(CLI::App& app, formats::ReadOptions& options);
void AddEdgeLabelsFlag(CLI::App& app, formats::ReadOptions& options);

// All of RecordFlags but the files; `on_stop` says what becomes of the records before the one rejected.
void AddRecordFlags(CLI::App& app, RecordFlags& flags, const std::string& on_stop);

// Any number of words that are not options, at least one.
CLI::Option* AddWords(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                      const std::string& description);

}  // namespace kindred::cli
