// The options that say how graphs are read from files, the same for every command that reads some.

#pragma once

#include "CLI/CLI.hpp"
#include "client/formats/record_reader.h"

namespace kindred::cli {

void AddFormatFlag(CLI::App& app, formats::ReadOptions& options);
void AddEdgeLabelsFlag(CLI::App& app, formats::ReadOptions& options);

// Any number of words that are not options, at least one.
CLI::Option* AddWords(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                      const std::string& description);

}  // namespace kindred::cli
