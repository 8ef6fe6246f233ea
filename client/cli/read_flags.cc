#include "client/cli/read_flags.h"

#include "client/cli/choice.h"

namespace kindred::cli {

void AddFormatFlag(CLI::App& app, formats::ReadOptions& options) {
  AddChoice<formats::Format>(app, "--format", options.format,
                             {{"auto", formats::Format::kAuto},
                              {"smiles", formats::Format::kSmiles},
                              {"tu", formats::Format::kTu},
                              {"jsonl", formats::Format::kJsonLines}},
                             "format of the files; auto goes by name, then by content");
}

void AddEdgeLabelsFlag(CLI::App& app, formats::ReadOptions& options) {
  AddChoice<bool>(app, "--edge-labels", options.edge_labels, {{"yes", true}, {"no", false}},
                  "keep the labels of edges (bond types), or leave them out");
}

CLI::Option* AddWords(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                      const std::string& description) {
  return app.add_option(name, words, description)->required()->type_name("");
}

}  // namespace kindred::cli
