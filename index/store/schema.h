// The layout of the store: its column families, keys and value versions, in one place.
// docs/formats.md draws the bytes.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "index/base/coding.h"
#include "index/base/ids.h"

namespace kindred::schema {

// Rises with every change that an older kindredd could not read. A store is of the first version until a
// commit stores its molecule scheme, which older ones would not enforce; that commit makes it one of the
// second.
inline constexpr uint32_t kVersionWithoutScheme = 6;
inline constexpr uint32_t kVersion = 7;

// Versions that had one more family, of external ids, which says nothing that the histograms do not say: it
// is dropped, and the store becomes one of the versions above (Store::Upgrade).
inline constexpr uint32_t kVersionWithIdsWithoutScheme = 4;
inline constexpr uint32_t kVersionWithIds = 5;
inline constexpr const char* kRetiredFamily = "ids";

// The order is that of kFamilyNames.
enum class Family : size_t {
  kMeta,        // name -> value: what the store is, and how far it got
  kLabels,      // LabelId -> its bytes
  kColours,     // ColourId -> its signature and those of the ids that follow, up to the next row
  kGraphs,      // GraphId -> record: external id, graph, payload, tags
  kHistograms,  // GraphId -> external id, histogram: all that recovery and exhaustive search need
  kSources,     // client id of an ingest stream -> its position
};

inline constexpr std::array<const char*, 6> kFamilyNames{"meta",   "labels",     "colours",
                                                         "graphs", "histograms", "sources"};

inline constexpr std::string_view kMetaSchema = "schema";        // fixed32: kVersion
inline constexpr std::string_view kMetaDepth = "depth";          // fixed32
inline constexpr std::string_view kMetaIdentity = "identity";    // 16 random bytes
inline constexpr std::string_view kMetaSequence = "sequence";    // fixed64: the last commit
inline constexpr std::string_view kMetaTotals = "totals";        // totals.h
inline constexpr std::string_view kMetaUntagged = "untagged";    // empty: no record has tags, or ever had
inline constexpr std::string_view kMetaMolecules = "molecules";  // base/molecule_scheme.h; from version 3 on

// The first byte of every value of the families graphs, histograms and sources.
inline constexpr uint8_t kGraphValueVersion = 1;
inline constexpr uint8_t kMoleculeValueVersion =
    2;  // A graph that was made by the molecule scheme of the store.
inline constexpr uint8_t kHistogramValueVersion = 1;
inline constexpr uint8_t kPositionValueVersion = 1;

// Big-endian, so that key order is id order.
inline std::string Key(LabelId id) {
  std::string key;
  AppendFixed32(key, Raw(id));
  return key;
}
inline std::string Key(ColourId id) {
  std::string key;
  AppendFixed32(key, Raw(id));
  return key;
}
inline std::string Key(GraphId id) {
  std::string key;
  AppendFixed64(key, Raw(id));
  return key;
}

}  // namespace kindred::schema
