#include "index/store/totals.h"

#include <bit>

#include "index/base/coding.h"
#include "index/base/status.h"
#include "index/store/checksum.h"

namespace kindred {

namespace {

// Of its key (schema.h), without making that a string.
uint64_t ChecksumOf(GraphId id) {
  const uint64_t key =
      std::endian::native == std::endian::little ? __builtin_bswap64(Raw(id)) : uint64_t{Raw(id)};
  return Checksum({reinterpret_cast<const char*>(&key), sizeof(key)});
}

}  // namespace

void GraphSet::Add(GraphId id) {
  ++count;
  digest += ChecksumOf(id);
}

void GraphSet::Remove(GraphId id) {
  --count;
  digest -= ChecksumOf(id);
}

void GraphSet::Add(const GraphSet& disjoint) {
  count += disjoint.count;
  digest += disjoint.digest;
}

std::string EncodeTotals(const Totals& totals) {
  std::string out;
  AppendFixed64(out, totals.graphs.count);
  AppendFixed64(out, totals.graphs.digest);
  AppendFixed32(out, totals.labels);
  AppendFixed32(out, totals.colours);
  return out;
}

absl::StatusOr<Totals> DecodeTotals(std::string_view bytes) {
  Decoder decoder(bytes);
  Totals totals;
  totals.graphs.count = decoder.Fixed64();
  totals.graphs.digest = decoder.Fixed64();
  totals.labels = decoder.Fixed32();
  totals.colours = decoder.Fixed32();
  if (!decoder.Done()) {
    return DataLoss("store: the totals are damaged");
  }
  return totals;
}

}  // namespace kindred
