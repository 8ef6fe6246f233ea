#include "client/cli/read_flags.h"

#include "client/cli/choice.h"

namespace kindred::cli {

void AddFormatFlag(CLI::App& app, formats::ReadOptions& options) {
  AddChoice<formats::Format>(app, "--format", options.format,
                             {{"auto", formats::Format::kAuto},
                              {"smiles", formats::Format::kSmiles},
                              {"tu", formats::Format::kTu},
                              {"jsonl", formats::Format::kJsonLines},
                              {"pb", formats::Format::kProtobuf}},
                             "format of the files; auto goes by name, then by content");
}

void AddEdgeLabelsFlag(CLI::App& app, formats::ReadOptions& options) {
  AddChoice<bool>(app, "--edge-labels", options.edge_labels, {{"yes", true}, {"no", false}},
                  "keep the labels of edges (bond types), or leave them out");
}

void AddRecordFlags(CLI::App& app, RecordFlags& flags, const std::string& on_stop) {
  AddFormatFlag(app, flags.read);
  app.add_option("--labels", flags.labels, "what labels the atoms of a molecule")
      ->check([](const std::string& word) {
        return word == "element" ? std::string() : "\"" + word + "\" is not possible, only \"element\" is";
      })
      ->type_name("element")
      ->capture_default_str();
  AddEdgeLabelsFlag(app, flags.read);
  AddChoice<OnError>(app, "--on-error", flags.on_error, {{"skip", OnError::kSkip}, {"stop", OnError::kStop}},
                     "after a rejected record go on, or stop (" + on_stop + ")");
  app.add_flag("-v,--verbose", flags.verbose, "list all rejected records, not only the first 20");
}

CLI::Option* AddWords(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                      const std::string& description) {
  return app.add_option(name, words, description)->required()->type_name("");
}

}  // namespace kindred::cli
