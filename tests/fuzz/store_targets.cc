// Values of the store: what decodes is what was written, and everything else is DATA_LOSS.

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "index/base/coding.h"
#include "index/base/molecule_scheme.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/hierarchy/refinement.h"
#include "index/hierarchy/signature.h"
#include "index/histogram/packed.h"
#include "index/store/backup_manifest.h"
#include "index/store/checksum.h"
#include "index/store/codec.h"
#include "index/store/totals.h"
#include "tests/fuzz/store_files.h"
#include "tests/fuzz/target.h"
#include "tests/support/graphs.h"

namespace kindred::fuzz {
namespace {

constexpr auto kLoss = absl::StatusCode::kDataLoss;

VertexColours Grown(ColourHierarchy& hierarchy, const Graph& graph, Level depth) {
  VertexColours colours = RefineKnown(hierarchy.view(), graph, depth);
  IssueMissing(hierarchy, graph, colours);
  return colours;
}

bool SameRecord(const StoredRecord& a, const StoredRecord& b) {
  return a.external_id == b.external_id && a.payload == b.payload && a.tags == b.tags &&
         a.is_molecule == b.is_molecule && test::SameGraph(a.graph, b.graph);
}

void RunRecord(std::string_view bytes) {
  const auto record = DecodeRecord(bytes);
  const auto tags = DecodeRecordTags(bytes);
  if (!tags.ok()) {
    RequireError(tags.status(), {kLoss});
  }
  if (!record.ok()) {
    RequireError(record.status(), {kLoss});
    return;
  }
  Require(tags.ok() && *tags == record->tags, "the tags alone are others than those of the record");
  Require(record->graph.vertex_count() > 0, "an empty graph");
  const std::string encoded = EncodeRecord(*record);
  Require(encoded.size() <= bytes.size(), "the encoder takes more bytes than it was given");
  const auto again = DecodeRecord(encoded);
  Require(again.ok() && SameRecord(*record, *again), "a record is another one after a round trip");
  Require(EncodeRecord(*again) == encoded, "a record is encoded in two ways");
}

std::vector<std::string> RecordSeeds() {
  test::Rng rng(5);
  return {
      EncodeRecord({"i", test::Isolated("C"), "", {}}),
      EncodeRecord({"id", test::MakeGraph({"C", "N"}, {{0, 1, "="}}), "payload", {{"k", "v"}}, true}),
      EncodeRecord({"x",
                    test::RandomGraph(rng, {.vertices_min = 9, .vertices_max = 9}),
                    "p",
                    {{"a", ""}, {"b", "c"}}}),
  };
}

// The first byte tells the depth.
void RunHistogram(std::string_view bytes) {
  if (bytes.empty()) {
    return;
  }
  const auto depth = static_cast<Level>(static_cast<uint8_t>(bytes.front()) % 4);
  bytes.remove_prefix(1);
  WornLevels worn(1'000);
  const auto checked = CheckHistogram(bytes, depth, &worn);
  const auto stored = DecodeHistogram(bytes, depth);
  Require(checked.ok() == stored.ok(), "checking and decoding disagree");
  if (!stored.ok()) {
    RequireError(stored.status(), {kLoss});
    return;
  }
  const Histogram& histogram = stored->histogram;
  Require(histogram.depth() == depth && histogram.vertex_count() == checked->vertex_count, "another size");
  Require(LevelCount(checked->packed) == depth + 1u, "another number of levels");
  const EncodedHistogram read = ReadEncoded(bytes);
  Require(read.packed == checked->packed && read.external_id == stored->external_id, "another reading");
  std::array<uint64_t, kLevelsMax> totals{};
  ForEachPackedEntry(checked->packed, [&](Level level, uint32_t, uint32_t count) { totals[level] += count; });
  for (Level level = 0; level <= depth; ++level) {
    Require(totals[level] == histogram.vertex_count(), "a level that does not add up");
  }
  const std::string encoded = EncodeHistogram(stored->external_id, histogram);
  const auto again = DecodeHistogram(encoded, depth);
  Require(again.ok() && again->histogram == histogram && again->external_id == stored->external_id,
          "a histogram is another one after a round trip");
  Require(EncodeHistogram(again->external_id, again->histogram) == encoded, "encoded in two ways");
}

std::vector<std::string> HistogramSeeds() {
  std::vector<std::string> seeds;
  test::Rng rng(7);
  ColourHierarchy hierarchy;
  for (Level depth = 0; depth < 4; ++depth) {
    for (int i = 0; i < 3; ++i) {
      const Graph graph = test::RandomGraph(rng);
      seeds.push_back(static_cast<char>(depth) +
                      EncodeHistogram("id", Histogram::Of(Grown(hierarchy, graph, depth))));
    }
  }
  return seeds;
}

void RunSignature(std::string_view bytes) {
  const auto signature = DecodeSignature(bytes);
  if (!signature.ok()) {
    RequireError(signature.status(), {kLoss});
    return;
  }
  std::string encoded;
  EncodeSignature(*signature, encoded);
  Require(encoded == bytes, "two forms of one signature");
  Require(SignatureLevel(bytes) == signature->level, "another level");
}

std::vector<std::string> SignatureSeeds() {
  std::vector<std::string> seeds(3);
  EncodeSignature({0, LabelId{300}, {}, {}}, seeds[0]);
  EncodeSignature({1, {}, ColourId{7}, {}}, seeds[1]);
  EncodeSignature({3, {}, ColourId{70'000}, {{LabelId{0}, ColourId{1}}, {LabelId{1}, ColourId{0xffffffff}}}},
                  seeds[2]);
  return seeds;
}

// A row of colours, restored into a hierarchy of two labels: what it takes is what it then holds.
void RunColours(std::string_view bytes) {
  ColourHierarchy hierarchy(HashKey{{1, 2}});
  Require(hierarchy.RestoreLabel(LabelId{0}, "").ok() && hierarchy.RestoreLabel(LabelId{1}, "C").ok(),
          "two labels");
  std::vector<std::string> taken;
  const absl::Status status =
      ForEachSignature(ColourId{0}, bytes, [&](ColourId id, std::string_view signature) -> absl::Status {
        const absl::Status restored = hierarchy.RestoreColour(id, signature);
        if (restored.ok()) {
          taken.emplace_back(signature);
        }
        return restored;
      });
  if (!status.ok()) {
    RequireError(status, {kLoss});
  }
  Require(hierarchy.colour_count() == taken.size(), "another number of colours");
  std::string row;
  for (uint32_t id = 0; id < taken.size(); ++id) {
    const std::string& signature = taken[id];
    Require(hierarchy.signature(ColourId{id}) == signature, "another signature");
    AppendBytes(row, signature);
    if (hierarchy.reclaimed(ColourId{id})) {
      Require(!hierarchy.view().FindColour(signature), "a reclaimed colour is found");
      continue;
    }
    Require(hierarchy.view().FindColour(signature) == ColourId{id}, "a colour is not found");
    const auto parent = hierarchy.parent(ColourId{id});
    Require(parent.has_value() == (hierarchy.level(ColourId{id}) > 0), "a colour without a parent");
    Require(!parent || hierarchy.level(*parent) + 1 == hierarchy.level(ColourId{id}), "a parent elsewhere");
  }
  Require(!status.ok() || row.size() <= bytes.size(), "more bytes than were given");
}

std::vector<std::string> ColourSeeds() {
  ColourHierarchy hierarchy;
  hierarchy.InternLabel("");
  hierarchy.InternLabel("C");
  Grown(hierarchy, test::MakeGraph({"C", "", "C", "C"}, {{0, 1}, {1, 2}, {2, 3}}), 2);
  std::string row;
  for (uint32_t id = 0; id < hierarchy.colour_count(); ++id) {
    AppendBytes(row, hierarchy.signature(ColourId{id}));
  }
  return {row, row.substr(0, 6)};
}

// The row of a client's position.
void RunPosition(std::string_view bytes) {
  const auto position = DecodePosition(bytes);
  if (!position.ok()) {
    RequireError(position.status(), {kLoss});
    return;
  }
  Require(EncodePosition(*position) == bytes, "two forms of one position");
  Require(position->fingerprints.size() <= ClientPosition::kFramesKept, "too many frames kept");
  Require(position->FingerprintOf(position->client_sequence) == position->fingerprints.back(), "the newest");
}

std::vector<std::string> PositionSeeds() {
  std::vector<std::string> seeds;
  ClientPosition position;
  for (uint64_t frame = 1; frame <= 70; ++frame) {
    position.Advance(frame * 0x9e3779b97f4a7c15);
    if (frame == 1 || frame == 3 || frame == 70) {
      seeds.push_back(EncodePosition(position));
    }
  }
  return seeds;
}

// Rows of meta: totals, and the molecule scheme.
void RunMeta(std::string_view bytes) {
  const auto totals = DecodeTotals(bytes);
  if (totals.ok()) {
    Require(EncodeTotals(*totals) == bytes, "two forms of the same totals");
  } else {
    RequireError(totals.status(), {kLoss});
  }
  const absl::Status scheme = CheckMoleculeScheme(bytes);
  if (scheme.ok()) {
    Require(!bytes.empty() && bytes.size() <= kMoleculeSchemeBytesMax, "a scheme beyond its limit");
    Require(bytes.find_first_of(std::string_view(" \n\0", 3)) == std::string_view::npos,
            "a scheme with a gap");
    Require(CheckSameScheme(bytes, bytes).ok() && CheckSameScheme(bytes, "").ok(), "not its own scheme");
    Require(!CheckSameScheme(bytes, std::string(bytes) + "x").ok(), "any scheme");
  } else {
    RequireError(scheme, {absl::StatusCode::kInvalidArgument});
  }
}

std::vector<std::string> MetaSeeds() {
  Totals totals{{}, 3, 70'000};
  totals.graphs.Add(GraphId{1});
  totals.graphs.Add(GraphId{900});
  return {EncodeTotals(totals), EncodeTotals({}), "element,bonds", "ecfp"};
}

// The manifest of a backup; the bytes alone, and with the checksum that makes them one.
void RunManifest(std::string_view bytes) {
  for (const std::string& text :
       {std::string(bytes), fmt::format("{}checksum {:016x}\n", bytes, Checksum(bytes))}) {
    const auto manifest = DecodeManifest(text);
    if (!manifest.ok()) {
      RequireError(manifest.status(), {kLoss});
      continue;
    }
    Require(EncodeManifest(*manifest) == text, "two forms of one manifest");
    for (const BackupManifest::File& file : manifest->files) {
      const bool plain = file.name.starts_with("db/") && file.name.find('/', 3) == std::string::npos;
      Require(file.name == "witness" || (plain && file.name != "db/" && file.name != "db/.."),
              "a file outside the backup");
    }
  }
}

std::vector<std::string> ManifestSeeds() {
  BackupManifest manifest;
  manifest.created = "2026-11-17T23:05:26Z";
  manifest.sequence = CommitSequence{12};
  manifest.totals = {{}, 3, 70'000};
  manifest.totals.graphs.Add(GraphId{1});
  const std::string none = EncodeManifest(manifest);
  manifest.files = {{"witness", {8192, 0x1234}, ""}, {"db/000012.sst", {900, 0xffffffffffffffff}, "a1"}};
  const std::string some = EncodeManifest(manifest);
  return {none.substr(0, none.rfind("checksum")), some.substr(0, some.rfind("checksum")), some};
}

}  // namespace

const std::vector<Target>& StoreTargets() {
  static const std::vector<Target> targets{
      {"record", RunRecord, RecordSeeds},
      {"histogram", RunHistogram, HistogramSeeds},
      {"signature", RunSignature, SignatureSeeds},
      {"colours", RunColours, ColourSeeds, 100},
      {"position", RunPosition, PositionSeeds},
      {"meta", RunMeta, MetaSeeds},
      {"witness", RunWitness, WitnessSeeds, 1'000},
      {"manifest", RunManifest, ManifestSeeds},
      {"table_end", RunTableEnd, TableEndSeeds, 1'000},
  };
  return targets;
}

}  // namespace kindred::fuzz
