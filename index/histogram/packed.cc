#include "index/histogram/packed.h"

#include <vector>

#include "index/base/status.h"

namespace kindred {

void AppendPacked(std::string& out, const Histogram& histogram) {
  VarintAppender numbers(out, histogram.depth() + 1u + 2 * histogram.entries().size());
  for (Level level = 0; level <= histogram.depth(); ++level) {
    numbers.Add(static_cast<uint32_t>(histogram.at_level(level).size()));
    uint32_t before = 0;
    for (const Histogram::Entry& entry : histogram.at_level(level)) {
      numbers.Add(Raw(entry.colour) - before);
      numbers.Add(entry.count);
      before = Raw(entry.colour);
    }
  }
}

uint64_t SumOfCounts(std::string_view packed) {
  uint64_t sum = 0;
  for (PackedCursor cursor(packed); !cursor.done();) {
    for (uint32_t left = cursor.Next(); left > 0; --left) {
      cursor.Next();  // The colour.
      sum += cursor.Next();
    }
  }
  return sum;
}

absl::StatusOr<Histogram> ReadPacked(Decoder& decoder, uint32_t vertex_count, Level depth) {
  std::vector<std::vector<Histogram::Entry>> levels(depth + 1u);
  for (auto& level : levels) {
    level.resize(decoder.Count(2));
    uint32_t colour = 0;
    for (Histogram::Entry& entry : level) {
      colour += decoder.Varint32();
      entry = {ColourId{colour}, decoder.Varint32()};
    }
  }
  if (!decoder.ok()) {
    return DataLoss("a histogram is cut short");
  }
  return Histogram::FromLevels(vertex_count, levels);
}

}  // namespace kindred
