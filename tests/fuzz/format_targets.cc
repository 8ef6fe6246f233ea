// Files of graphs: whatever they hold, every record is one that can be stored, or an error that says why not.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "client/formats/archive_source.h"
#include "client/formats/input_stream.h"
#include "client/formats/jsonl_reader.h"
#include "client/formats/jsonl_writer.h"
#include "client/formats/molecule_graph.h"
#include "client/formats/pb_reader.h"
#include "client/formats/pb_writer.h"
#include "client/formats/record_check.h"
#include "client/formats/record_reader.h"
#include "client/formats/sdf_reader.h"
#include "client/formats/smiles_reader.h"
#include "client/formats/tu_reader.h"
#include "tests/fuzz/file_seeds.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/target.h"
#include "wire/graph.h"

namespace kindred::fuzz {
namespace {

using namespace formats;

// One thread, so that a run repeats.
ReadOptions Options(Format format) {
  ReadOptions options;
  options.format = format;
  options.threads = 1;
  return options;
}

void RequireResult(const ReadResult& result) {
  Require(result.position > 0, "a record without a place");
  Require(result.id.empty() || CheckId(result.id).ok(), "an id that is none");
  if (!result.record.ok()) {
    Require(!result.record.status().message().empty(), "an error without a message");
    return;
  }
  Require(CheckId(result.record->id()).ok() && result.record->id() == result.id, "another id");
}

// Every result up to the end, which there has to be; with the least that holds for all formats.
std::vector<ReadResult> ReadAll(RecordReader& reader) {
  std::vector<ReadResult> results;
  while (std::optional<ReadResult> result = reader.Next()) {
    RequireResult(*result);
    Require(results.empty() || results.back().position < result->position, "places out of order");
    results.push_back(*std::move(result));
  }
  Require(!reader.Next().has_value(), "a record behind the end");
  return results;
}

// Readers of molecules and TU sets make graphs that the daemon takes as they are.
void RequireGraph(const v1::Record& record) {
  const auto graph = ToGraph(record.graph(), HighestLimits());
  Require(graph.ok(), "a reader made no graph: " + graph.status().ToString());
}

void RunJson(std::string_view bytes) {
  for (const bool edge_labels : {true, false}) {
    ReadOptions options = Options(Format::kJsonLines);
    options.edge_labels = edge_labels;
    const auto result = ReadJsonLine(3, bytes, options);
    Require(result.has_value() == (bytes.find_first_not_of(" \t\r") != std::string_view::npos), "blank");
    if (!result) {
      return;
    }
    RequireResult(*result);
    if (!result->record.ok()) {
      continue;
    }
    const auto line = ToJsonLine(*result->record);
    Require(line.ok(), "a record that was read cannot be written: " + line.status().ToString());
    const auto again = ReadJsonLine(4, *line, options);
    Require(again && again->record.ok(), "a line that was written cannot be read: " + *line);
    Require(ToJsonLine(*again->record).value_or("") == *line, "written in two ways: " + *line);
    Require(edge_labels || result->record->graph().edge_labels_size() == 0, "edge labels are still there");
  }
}

std::vector<std::string> JsonSeeds() {
  return {
      R"({"id":"caffeine","vertices":["C","N","O"],"edges":[[0,1],[1,2,"double"]],"payload":"any","tags":{"s":"d"}})",
      R"({"edges":[],"vertices":["C"],"id":"a","payload_base64":"/w==","molecule_scheme":"element,bonds"})",
      R"({"id":"\u00e9\ud83d\ude00","vertices":["",""],"edges":[[1,0,""]]})",
      R"({"id":"x","vertices":["C"],"edges":[[0,7]]})",
      R"({"id":"x","id":"y"})",
      R"([[[[[[[[)"};
}

// The bytes are up to five files, with a byte 0x1e between them: edges, indicator, classes, vertex and edge
// labels.
void RunTu(std::string_view bytes) {
  std::vector<std::string> files;
  for (size_t begin = 0; begin <= bytes.size() && files.size() < 5;) {
    const size_t end = std::min(bytes.find('\x1e', begin), bytes.size());
    files.emplace_back(bytes.substr(begin, end - begin));
    begin = end + 1;
  }
  TuFiles set{"SET", files[0], files.size() > 1 ? files[1] : "", {}, {}, {}};
  if (files.size() > 2) set.graph_labels = files[2];
  if (files.size() > 3) set.node_labels = files[3];
  if (files.size() > 4) set.edge_labels = files[4];
  const auto reader = NewTuReader(set, Options(Format::kTu));
  if (!reader.ok()) {
    Require(!reader.status().message().empty(), "an error without a message");
    return;
  }
  for (const ReadResult& result : ReadAll(**reader)) {
    if (result.record.ok()) {
      RequireGraph(*result.record);
    }
  }
}

std::vector<std::string> TuSeeds() {
  const std::string edges = "1, 2\n2, 1\n3,4\n";
  const std::string graphs = "1\n1\n2\n2\n";
  return {edges + '\x1e' + graphs,
          edges + '\x1e' + graphs + '\x1e' + "1\n-1\n" + '\x1e' + "5\n6\n5\n0\n" + '\x1e' + "1\n1\n0\n",
          "1, 1\n\x1e"
          "1\n",
          "1, 3\n\x1e"
          "1\n1\n2\n"};
}

void RequireMolecule(const ReadResult& result) {
  RequireResult(result);
  if (!result.record.ok()) {
    return;
  }
  RequireGraph(*result.record);
  Require(static_cast<size_t>(result.record->graph().vertices_size()) <= kMoleculeAtomsMax, "too many atoms");
  Require(!result.record->molecule_scheme().empty(), "a molecule without a scheme");
}

// Longer ones say nothing new and take RDKit seconds.
constexpr size_t kMoleculeBytesMax = 300;

void RunSmiles(std::string_view bytes) {
  if (bytes.size() > kMoleculeBytesMax) {
    return;
  }
  const ReadOptions options = Options(Format::kSmiles);
  const auto line = ReadSmilesLine(2, bytes, options);
  if (line) {
    RequireMolecule(*line);
    const auto again = ReadSmilesLine(2, bytes, options);
    Require(again && again->record.ok() == line->record.ok(), "read once, refused once");
    Require(!line->record.ok() || again->record->SerializeAsString() == line->record->SerializeAsString(),
            "two graphs of one molecule");
  }
  const MemoryFile file(bytes);
  const auto reader = OpenRecords(file.path(), options);
  if (reader.ok()) {
    for (const ReadResult& result : ReadAll(**reader)) {
      RequireMolecule(result);
    }
  }
}

std::vector<std::string> SmilesSeeds() {
  return {"CCO\tethanol",
          "CN1C=NC2=C1C(=O)N(C(=O)N2C)C caffeine",
          "smiles,id\nc1ccccc1,benzene\nC[N+](C)(C)C,x\n",
          "name;canonical_smiles\n\"a;b\";F/C=C/F\n",
          "[13CH4] m\n# no\n\nC1CC\n",
          "\"CC\nO\",3\n"};
}

void RunSdf(std::string_view bytes) {
  if (bytes.size() > 4 * kMoleculeBytesMax) {
    return;
  }
  ReadOptions options = Options(Format::kSdf);
  options.properties = Properties::kTags;
  RequireMolecule(ReadSdfRecord(1, bytes, options));
  options.properties = Properties::kPayload;
  options.molecules = {AtomLabels::kEcfp, true, true, true};
  const MemoryFile file(bytes);
  const auto reader = OpenRecords(file.path(), options);
  if (reader.ok()) {
    for (const ReadResult& result : ReadAll(**reader)) {
      RequireMolecule(result);
    }
  }
}

std::vector<std::string> SdfSeeds() {
  const std::string v2000 =
      "water\n  kindred\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 O   0  0\n    0.9600    0.0000    0.0000 H   0  0\n"
      "   -0.2400    0.9300    0.0000 H   0  0\n  1  2  1  0\n  1  3  1  0\nM  END\n> "
      "<CAS>\n7732-18-5\n\n$$$$\n";
  const std::string v3000 =
      "\n  kindred\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 2 1 0 0 0\n"
      "M  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\nM  V30 2 N 1.5 0 0 0 CHG=1\nM  V30 END ATOM\nM  V30 BEGIN "
      "BOND\n"
      "M  V30 1 2 1 2\nM  V30 END BOND\nM  V30 END CTAB\nM  END\n";
  return {v2000, v3000, v2000 + v2000, v2000.substr(0, 120)};
}

std::string Written(const std::vector<ReadResult>& results) {
  std::string file;
  PbWriter writer(false, [&](std::string_view bytes) {
    file += bytes;
    return absl::OkStatus();
  });
  for (const ReadResult& result : results) {
    if (result.record.ok()) {
      Require(writer.Add(result.record->SerializeAsString()).ok(), "a record cannot be written");
    }
  }
  Require(writer.Finish().ok(), "a file cannot be written");
  return file;
}

std::vector<ReadResult> ReadPb(std::string_view bytes) {
  const MemoryFile file(bytes);
  auto source = ArchiveSource::Open(file.path());
  if (!source.ok()) {
    return {};
  }
  const auto reader = OpenPbReader(*std::move(source), Options(Format::kProtobuf));
  return reader.ok() ? ReadAll(**reader) : std::vector<ReadResult>();
}

void RunPb(std::string_view bytes) {
  const std::vector<ReadResult> results = ReadPb(bytes);
  const std::string written = Written(results);
  const std::vector<ReadResult> again = ReadPb(written);
  Require(Written(again) == written, "a file is another one after a round trip");
  const MemoryFile file(bytes);
  auto source = ArchiveSource::Open(file.path());
  const auto reader = source.ok() ? OpenPbReader(*std::move(source), Options(Format::kProtobuf))
                                  : absl::StatusOr<std::unique_ptr<RecordReader>>(source.status());
  size_t encoded = 0;
  while (reader.ok()) {
    const auto result = (*reader)->NextEncoded();
    if (!result) {
      break;
    }
    Require(encoded < results.size() && result->position == results[encoded].position, "other records");
    Require(result->bytes.ok() || !results[encoded].record.ok(), "encoded alone it is an error");
    ++encoded;
  }
  Require(encoded == results.size(), "another number of records");
}

std::vector<std::string> PbSeeds() {
  std::vector<ReadResult> results;
  for (const std::string& line : JsonSeeds()) {
    results.push_back(*ReadJsonLine(1, line, {}));
  }
  const std::string file = Written(results);
  return {file, file.substr(0, file.size() / 2),
          file +
              "\x03"
              "abc" +
              file,
          "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"};
}

// Any file, of which nothing is known: compressed, an archive, or one of the formats.
void RunFile(std::string_view bytes) {
  if (bytes.size() > 8 * kMoleculeBytesMax) {
    return;
  }
  const MemoryFile file(bytes);
  const auto reader = OpenRecords(file.path(), Options(Format::kAuto));
  if (reader.ok()) {
    ReadAll(**reader);
  } else {
    Require(!reader.status().message().empty(), "an error without a message");
  }
}

std::vector<std::string> FileSeeds() {
  const std::string line = JsonSeeds().front();
  return {Gzipped(line),
          Gzipped(line).substr(0, 40),
          Gzipped(Tar({{"S/S_A.txt", "1, 2\n"}, {"S/S_graph_indicator.txt", "1\n1\n"}})),
          SmilesSeeds().front(),
          SdfSeeds().front(),
          line + "\n\n" + line};
}

}  // namespace

const std::vector<Target>& FormatTargets() {
  static const std::vector<Target> targets{
      {"json", RunJson, JsonSeeds},   {"tu", RunTu, TuSeeds},      {"smiles", RunSmiles, SmilesSeeds, 300},
      {"sdf", RunSdf, SdfSeeds, 300}, {"pb", RunPb, PbSeeds, 500}, {"file", RunFile, FileSeeds, 400},
  };
  return targets;
}

}  // namespace kindred::fuzz
