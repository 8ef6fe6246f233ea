#include "index/hierarchy/signature_writer.h"

#include <algorithm>
#include <array>

#include "index/base/coding.h"

namespace kindred {
namespace {

// Most vertices have two or three neighbours. Up to so many are put in order as they come.
constexpr size_t kInsertedMax = 16;

}  // namespace

void SignatureWriter::Clear(const Graph& graph) {
  // A level, the colour one level up (or the label), and two numbers for each end of an edge.
  const size_t vertex_bytes = size_t{graph.vertex_count()} * (1 + kVarint32BytesMax);
  const size_t arm_bytes = size_t{graph.edge_count()} * 2 * 2 * kVarint32BytesMax;
  const size_t needed = vertex_bytes + arm_bytes + kVarint32Room;
  if (buffer_.size() < needed) {
    buffer_.resize(needed);
  }
  at_ = buffer_.data();
}

std::string_view SignatureWriter::WriteLabel(LabelId label) {
  char* const begin = at_;
  *at_++ = 0;
  at_ = WriteVarint32(at_, Raw(label));
  return {begin, static_cast<size_t>(at_ - begin)};
}

char* SignatureWriter::WriteAt(char* at, std::span<const Graph::Neighbour> neighbours,
                               std::span<const LabelId> labels, std::span<const ColourId> above, Level level,
                               ColourId parent) {
  if (parent == kUnknownColour) {
    return nullptr;
  }
  // Edge label << 32 | colour, so that their order is that of Arm.
  std::array<uint64_t, kInsertedMax> few;
  const bool insert = neighbours.size() <= kInsertedMax;
  if (!insert) {
    arms_.resize(neighbours.size());
  }
  uint64_t* const arms = insert ? few.data() : arms_.data();
  size_t count = 0;
  for (const Graph::Neighbour& neighbour : neighbours) {
    const LabelId label = labels[neighbour.edge_label];
    const ColourId colour = above[neighbour.vertex];
    if (label == kUnknownLabel || colour == kUnknownColour) {
      return nullptr;
    }
    const uint64_t arm = uint64_t{Raw(label)} << 32 | Raw(colour);
    size_t place = count++;
    for (; insert && place > 0 && arms[place - 1] > arm; --place) {
      arms[place] = arms[place - 1];
    }
    arms[place] = arm;
  }
  if (!insert) {
    std::ranges::sort(arms_);
  }
  *at++ = static_cast<char>(level);
  at = WriteVarint32(at, Raw(parent));
  for (size_t i = 0; i < count; ++i) {
    at = WriteVarint32(at, static_cast<uint32_t>(arms[i] >> 32));
    at = WriteVarint32(at, static_cast<uint32_t>(arms[i]));
  }
  return at;
}

}  // namespace kindred
