#include "client/cli/read_flags.h"

#include "client/cli/choice.h"
#include "index/base/status.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

void AddReadFlags(CLI::App& app, ReadFlags& flags, const std::string& format_name) {
  formats::ReadOptions& options = flags.options;
  AddChoice<formats::Format>(app, format_name, options.format,
                             {{"auto", formats::Format::kAuto},
                              {"smiles", formats::Format::kSmiles},
                              {"sdf", formats::Format::kSdf},
                              {"tu", formats::Format::kTu},
                              {"jsonl", formats::Format::kJsonLines},
                              {"pb", formats::Format::kProtobuf}},
                             "format of the files; auto goes by name, then by content");
  AddChoice<std::optional<formats::AtomLabels>>(
      app, "--labels", flags.labels,
      {{"element", formats::AtomLabels::kElement}, {"ecfp", formats::AtomLabels::kEcfp}},
      "what labels the atoms of a molecule: the element, or the invariants of ECFP fingerprints (default: as "
      "in the index; of a new one element)");
  AddChoice<std::optional<bool>>(app, "--edge-labels", flags.edge_labels, {{"yes", true}, {"no", false}},
                                 "keep the labels of edges (bond types), or leave them out (default: "
                                 "of molecules as in the index; else yes)");
  AddChoice<std::optional<bool>>(
      app, "--hydrogens", flags.hydrogens, {{"remove", false}, {"keep", true}},
      "what becomes of hydrogens that a molecule is written with as atoms (default: "
      "as in the index; of a new one remove)");
  AddChoice<std::optional<bool>>(app, "--fragments", flags.largest_fragment,
                                 {{"all", false}, {"largest", true}},
                                 "of a molecule of several parts (a salt) take all, or only the largest "
                                 "(default: as in the index; of a new one all)");
  app.add_option("--smiles-column", options.smiles_column,
                 "column of a table that holds the SMILES: a name in its header, or a number from 1")
      ->type_name("COLUMN");
  app.add_option("--id-column", options.id_column, "column of a table that holds the ids, likewise")
      ->type_name("COLUMN");
  app.add_option("--id-property", options.id_property,
                 "property of an SDF record that is its id (default: the title line)")
      ->type_name("NAME");
  AddChoice<formats::Properties>(app, "--properties", options.properties,
                                 {{"drop", formats::Properties::kDrop},
                                  {"tags", formats::Properties::kTags},
                                  {"payload", formats::Properties::kPayload}},
                                 "what becomes of the properties of an SDF record: nothing, tags, or as JSON "
                                 "the payload instead of the SMILES");
}

absl::StatusOr<formats::ReadOptions> ReadOptionsFor(const ReadFlags& flags, const std::string& of_index) {
  formats::ReadOptions options = flags.options;
  if (!of_index.empty()) {
    KINDRED_ASSIGN_OR_RETURN(options.molecules, formats::ParseMoleculeScheme(of_index));
  }
  formats::MoleculeScheme& scheme = options.molecules;
  scheme.labels = flags.labels.value_or(scheme.labels);
  scheme.bonds = flags.edge_labels.value_or(scheme.bonds);
  scheme.hydrogens = flags.hydrogens.value_or(scheme.hydrogens);
  scheme.largest_fragment = flags.largest_fragment.value_or(scheme.largest_fragment);
  options.edge_labels = flags.edge_labels.value_or(true);
  options.required_scheme = of_index;
  return options;
}

void AddRecordFlags(CLI::App& app, RecordFlags& flags, const std::string& on_stop,
                    const std::string& format_name) {
  AddReadFlags(app, flags.read, format_name);
  AddChoice<OnError>(app, "--on-error", flags.on_error, {{"skip", OnError::kSkip}, {"stop", OnError::kStop}},
                     "after a rejected record go on, or stop (" + on_stop + ")");
  app.add_option("--tag", flags.tags,
                 "a tag for every record; repeatable (a record that has its key already is rejected)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->check([](const std::string& tag) {
        const size_t sign = tag.find('=');
        return sign == 0 || sign == std::string::npos ? "\"" + tag + "\" is not KEY=VALUE" : std::string();
      });
  app.add_flag("-v,--verbose", flags.verbose, "list all rejected records, not only the first 20");
}

std::string TagSuffix(const std::vector<std::string>& tags) {
  v1::Record record;
  for (const std::string& text : tags) {
    const size_t sign = text.find('=');
    v1::Tag& tag = *record.add_tags();
    tag.set_key(text.substr(0, sign));
    tag.set_value(text.substr(sign + 1));
  }
  return record.SerializeAsString();
}

CLI::Option* AddWords(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                      const std::string& description) {
  return app.add_option(name, words, description)->required()->type_name("");
}

}  // namespace kindred::cli
