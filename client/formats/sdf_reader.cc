#include "client/formats/sdf_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "client/formats/parallel_reader.h"
#include "client/formats/record_check.h"
#include "client/formats/sdf_record.h"
#include "client/formats/sdf_records.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace kindred::formats {

namespace {

// The id a record gives itself; empty when the SMILES has to do.
absl::StatusOr<std::string> IdOf(const SdfParts& parts, const ReadOptions& options) {
  if (options.id_property.empty()) return std::string(parts.title);
  const auto found =
      std::ranges::find(parts.properties, options.id_property, &std::pair<std::string, std::string>::first);
  if (found == parts.properties.end()) {
    return absl::NotFoundError(fmt::format("there is no property '{}' to be its id", options.id_property));
  }
  return found->second;
}

absl::Status AddProperties(const SdfParts& parts, Properties properties, v1::Record& record) {
  if (properties == Properties::kDrop) return absl::OkStatus();
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [name, value] : parts.properties) {
    if (!IsUtf8(name) || !IsUtf8(value)) {
      return absl::InvalidArgumentError(
          fmt::format("the property '{}' is not UTF-8", IsUtf8(name) ? name : "..."));
    }
    if (properties == Properties::kPayload) {
      object[name] = value;
    } else {
      v1::Tag& tag = *record.add_tags();
      tag.set_key(name);
      tag.set_value(value);
    }
  }
  if (properties == Properties::kPayload) record.set_payload(object.dump());
  return absl::OkStatus();
}

absl::StatusOr<v1::Record> MakeRecord(uint64_t line, const SdfParts& parts, std::string& id,
                                      const ReadOptions& options) {
  absl::StatusOr<std::string> own_id = IdOf(parts, options);
  if (!own_id.ok()) return own_id.status();
  if (!own_id->empty()) {
    if (const absl::Status status = CheckId(*own_id); !status.ok()) return status;
    id = *own_id;
  }
  absl::StatusOr<SdfMolecule> molecule = MoleculeFromMolBlock(parts.mol_block, line, options.molecules);
  if (!molecule.ok()) return molecule.status();
  if (id.empty()) {
    if (CheckId(molecule->smiles).ok()) id = molecule->smiles;
    if (id.empty()) {
      return absl::InvalidArgumentError("id: the title is empty, and the SMILES too long to be one");
    }
  }
  v1::Record record;
  record.set_id(id);
  *record.mutable_graph() = std::move(molecule->graph);
  record.set_payload(std::move(molecule->smiles));
  record.set_molecule_scheme(ToText(options.molecules));
  if (const absl::Status status = AddProperties(parts, options.properties, record); !status.ok()) {
    return status;
  }
  return record;
}

}  // namespace

ReadResult ReadSdfRecord(uint64_t line, std::string_view text, const ReadOptions& options) {
  ReadResult result;
  result.position = line;
  result.record = MakeRecord(line, SplitSdfRecord(text), result.id, options);
  return result;
}

std::unique_ptr<RecordReader> NewSdfReader(std::unique_ptr<InputStream> input, const ReadOptions& options) {
  return std::make_unique<ParallelReader>(
      std::make_unique<SdfRecords>(std::move(input)),
      [options](uint64_t line, std::string_view text) { return ReadSdfRecord(line, text, options); },
      options.threads);
}

bool LooksLikeSdf(std::string_view begin) {
  // Blank lines before, of an empty title for instance, are cut off: the counts line is the fourth at most.
  constexpr int kHeaderLines = 4;
  std::string_view rest = begin;
  for (int i = 0; i < kHeaderLines && !rest.empty(); ++i) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    if (line.ends_with("V2000") || line.ends_with("V3000")) return true;
  }
  return begin.find("\nM  END") != std::string_view::npos;
}

}  // namespace kindred::formats
