// Values of the store to and from bytes. Decoding and validating are one call: what comes back is right,
// or the answer is DATA_LOSS.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/tags.h"
#include "index/graph/graph.h"
#include "index/histogram/histogram.h"
#include "index/histogram/worn_levels.h"

namespace kindred {

// Everything a client stored under one external id.
struct StoredRecord {
  std::string external_id;
  Graph graph;
  std::string payload;
  Tags tags;
  // Whether the graph was made by the molecule scheme of the store.
  bool is_molecule = false;
};

// Replaces `out`, as EncodeHistogram does: one string serves many values, without an allocation each.
void EncodeRecord(const StoredRecord& record, std::string& out);
std::string EncodeRecord(const StoredRecord& record);
absl::StatusOr<StoredRecord> DecodeRecord(std::string_view bytes);

// The tags alone, quickly: what comes before them is passed over, unchecked but for its lengths.
absl::StatusOr<Tags> DecodeRecordTags(std::string_view bytes);

struct StoredHistogram {
  std::string external_id;
  Histogram histogram;
};

void EncodeHistogram(std::string_view external_id, const Histogram& histogram, std::string& out);
std::string EncodeHistogram(std::string_view external_id, const Histogram& histogram);
// What EncodeHistogram wrote, without decoding it: as part of its bytes.
struct EncodedHistogram {
  std::string_view external_id;
  uint32_t vertex_count = 0;
  std::string_view packed;  // histogram/packed.h
};
EncodedHistogram ReadEncoded(std::string_view bytes);
// Refuse a histogram of another depth, and what CheckPacked refuses (histogram/packed.h).
absl::StatusOr<EncodedHistogram> CheckHistogram(std::string_view bytes, Level depth,
                                                WornLevels* worn = nullptr);
absl::StatusOr<StoredHistogram> DecodeHistogram(std::string_view bytes, Level depth);

// A row of colours: the signatures of `first` and of the colours that follow it. DATA_LOSS where the row does
// not decode; otherwise what `visit` returns, if that is not OK. What a signature says is not looked at.
absl::Status ForEachSignature(ColourId first, std::string_view row,
                              const std::function<absl::Status(ColourId, std::string_view)>& visit);

// How far the stream of a client has come.
struct ClientPosition {
  // So many of the last frames are told from others of the same number.
  static constexpr size_t kFramesKept = 64;

  uint64_t client_sequence = 0;       // Of the last frame; 0: there was none.
  std::deque<uint64_t> fingerprints;  // Of the last frames, the newest one last.

  // One more frame.
  void Advance(uint64_t fingerprint);
  // Nothing when it is too long ago to tell. REQUIRES: 1 <= number <= client_sequence.
  std::optional<uint64_t> FingerprintOf(uint64_t number) const;

  friend bool operator==(const ClientPosition&, const ClientPosition&) = default;
};

std::string EncodePosition(const ClientPosition& position);
absl::StatusOr<ClientPosition> DecodePosition(std::string_view bytes);

}  // namespace kindred
