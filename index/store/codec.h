// Values of the store to and from bytes. Decoding and validating are one call: what comes back is right,
// or the answer is DATA_LOSS.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "index/graph/graph.h"
#include "index/histogram/histogram.h"

namespace kindred {

using Tags = std::vector<std::pair<std::string, std::string>>;

// Everything a client stored under one external id.
struct StoredRecord {
  std::string external_id;
  Graph graph;
  std::string payload;
  Tags tags;
};

std::string EncodeRecord(const StoredRecord& record);
absl::StatusOr<StoredRecord> DecodeRecord(std::string_view bytes);

struct StoredHistogram {
  std::string external_id;
  Histogram histogram;
};

std::string EncodeHistogram(std::string_view external_id, const Histogram& histogram);
// Refuses a histogram of another depth.
absl::StatusOr<StoredHistogram> DecodeHistogram(std::string_view bytes, Level depth);

}  // namespace kindred
