#include "index/pairs/sketch.h"

#include <algorithm>
#include <bit>

namespace kindred {
namespace {

// The bits of so many blocks take a megabyte, which a core has at hand. A band reads all rare lists, so there
// are not many.
constexpr uint32_t kSketchBandBlocks = 2'048;
constexpr uint32_t kSketchBandsMax = 16;

// The bits of the 16 graphs of a block as lists have them: for each bit a mask of the graphs that have it. In
// the end they are turned into 16 sketches, which take the same memory.
using BlockBits = std::array<uint16_t, kSketchBits>;
static_assert(sizeof(BlockBits) == kBlockGraphs * sizeof(Sketch));

// Bit i of number k becomes bit k of number i.
void Transpose(uint16_t* square) {
  uint32_t low = 0xff;  // Of each 2 * width bits the lower half.
  for (uint32_t width = 8; width > 0; width /= 2, low ^= low << width) {
    for (uint32_t i = 0; i < 16; ++i) {
      if ((i & width) == 0) {
        const uint32_t other = square[i + width];
        const uint32_t swapped = (square[i] >> width ^ other) & low;
        square[i + width] = static_cast<uint16_t>(other ^ swapped);
        square[i] = static_cast<uint16_t>(square[i] ^ swapped << width);
      }
    }
  }
}

void ToSketches(BlockBits bits, Sketch* sketches) {
  for (uint32_t first = 0; first < kSketchBits; first += 16) {
    Transpose(bits.data() + first);
  }
  for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
    for (uint32_t first = 0; first < kSketchBits; first += 16) {
      sketches[lane].words[first / 64] |= uint64_t{bits[first + lane]} << first % 64;
    }
  }
}

// What is needed of a part's features: bit numbers, by row bit and by feature; kNoBit for a level that does
// not count.
class PartSketcher {
 public:
  PartSketcher(const PairParts& parts, uint32_t part, const PairBounds& bounds, const SketchShape& shape)
      : blocks_(parts.blocks(part)),
        list_bits_(blocks_.features().size(), kNoBit),
        row_bits_(size_t{blocks_.row_words()} * 64, kNoBit) {
    const FeatureTable& features = parts.features();
    Level level = 0;
    uint32_t frequent = 0;
    parts.ForEachFeature(part, [&](uint32_t here, uint32_t feature) {
      while (feature >= features.at_level(level).end) {
        ++level;
      }
      const bool is_frequent =
          frequent < blocks_.frequent_count() && blocks_.frequent_feature(frequent) == here;
      if (bounds.counts(level)) {
        const auto bit = static_cast<uint16_t>(shape.bit(level, feature));
        (is_frequent ? row_bits_[blocks_.row_bit(frequent)] : list_bits_[here]) = bit;
      }
      frequent += is_frequent ? 1 : 0;
    });
  }

  // Of all slots of some blocks in a row: `sketches` are those of the part.
  void Make(uint32_t begin, uint32_t end, Sketch* sketches) const {
    LargeVector<BlockBits> bits(end - begin);
    AddLists(begin, bits);
    AddRows(begin, bits);
    for (uint32_t i = 0; i < bits.size(); ++i) {
      ToSketches(bits[i], sketches + size_t{begin + i} * kBlockGraphs);
    }
  }

 private:
  static constexpr uint16_t kNoBit = UINT16_MAX;

  static void Turn(uint16_t& lanes, uint16_t mask) { lanes = static_cast<uint16_t>(lanes ^ mask); }

  void AddLists(uint32_t begin, LargeVector<BlockBits>& bits) const {
    for (uint32_t feature = 0; feature < list_bits_.size(); ++feature) {
      const uint16_t bit = list_bits_[feature];
      if (bit == kNoBit) {
        continue;
      }
      uint32_t block = 0;
      for (const BlockPosting& posting : blocks_.rare_list(feature)) {
        block += posting.gap;
        // Those before the band wrap around to numbers beyond it.
        if (block - begin < bits.size()) {
          Turn(bits[block - begin][bit], posting.mask);
        }
      }
    }
  }

  void AddRows(uint32_t begin, LargeVector<BlockBits>& bits) const {
    for (uint32_t i = 0; i < bits.size(); ++i) {
      const uint64_t* const row = blocks_.row(begin + i);
      const uint16_t* mask = blocks_.row_masks(begin + i);
      for (uint32_t word = 0; word < blocks_.row_words(); ++word) {
        for (uint64_t left = row[word]; left != 0; left &= left - 1, ++mask) {
          const uint16_t bit = row_bits_[word * 64 + static_cast<uint32_t>(std::countr_zero(left))];
          if (bit != kNoBit) {
            Turn(bits[i][bit], *mask);
          }
        }
      }
    }
  }

  const BlockIndex& blocks_;
  std::vector<uint16_t> list_bits_;
  std::vector<uint16_t> row_bits_;
};

}  // namespace

SketchShape::SketchShape(const PairBounds& bounds) {
  uint32_t count = 0;
  for (Level level = 0; level < kLevelsMax; ++level) {
    count += bounds.counts(level) ? 1 : 0;
  }
  weights_.fill(UINT32_MAX);
  uint32_t place = 0;  // Among the levels that count.
  for (Level level = 0; level < kLevelsMax; ++level) {
    if (!bounds.counts(level)) {
      continue;
    }
    // The words of this level: all, or an equal share of them, or one that others have as well.
    const uint32_t begin = bounds.uniform() ? 0 : place * kSketchWords / count;
    const uint32_t end =
        bounds.uniform() ? kSketchWords : std::max(begin + 1, (place + 1) * kSketchWords / count);
    begins_[level] = begin * 64;
    sizes_[level] = (end - begin) * 64;
    for (uint32_t word = begin; word < end; ++word) {
      weights_[word] = std::min(weights_[word], bounds.weight(level));
    }
    ++place;
  }
}

Sketches MakeSketches(const PairParts& parts, const PairBounds& bounds, const ParallelFor& parallel_for) {
  const SketchShape shape(bounds);
  Sketches sketches(parts.number_end());
  for (uint32_t part = 0; part < parts.part_count(); ++part) {
    const PartSketcher sketcher(parts, part, bounds, shape);
    const uint32_t blocks = parts.blocks(part).block_count();
    const uint32_t bands = std::clamp<uint32_t>(blocks / kSketchBandBlocks, 1, kSketchBandsMax);
    parallel_for(bands, [&](size_t band) {
      sketcher.Make(static_cast<uint32_t>(uint64_t{blocks} * band / bands),
                    static_cast<uint32_t>(uint64_t{blocks} * (band + 1) / bands),
                    sketches.data() + parts.begin(part));
    });
  }
  return sketches;
}

}  // namespace kindred
