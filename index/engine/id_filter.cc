#include "index/engine/id_filter.h"

#include <functional>

namespace kindred {
namespace {

constexpr uint64_t kFirstPieceIds = 1 << 16;
constexpr uint64_t kLineIds = 32;  // 16 bits an id.
constexpr int kBitsAnId = 6;

// Which line of so many, and which of its bits.
struct Place {
  explicit Place(std::string_view id) : hash(std::hash<std::string_view>()(id)) {}

  size_t Line(size_t lines) const { return (hash >> 32) * lines >> 32; }

  template <typename Visit>  // void(size_t word, uint64_t bit)
  void ForEachBit(Visit visit) const {
    uint64_t bits = hash * 0x9e3779b97f4a7c15;  // The high bits chose the line: these have to differ.
    for (int i = 0; i < kBitsAnId; ++i, bits >>= 9) {
      visit(bits >> 6 & 7, uint64_t{1} << (bits & 63));
    }
  }

  uint64_t hash;
};

}  // namespace

bool IdFilter::MayHave(std::string_view id) const {
  const Place place(id);
  for (const Piece& piece : pieces_) {
    const Line& line = piece.lines[place.Line(piece.lines.size())];
    bool has = true;
    place.ForEachBit([&](size_t word, uint64_t bit) { has = has && (line.words[word] & bit) != 0; });
    if (has) {
      return true;
    }
  }
  return false;
}

void IdFilter::Prefetch(std::string_view id) const {
  const Place place(id);
  for (const Piece& piece : pieces_) {
    __builtin_prefetch(&piece.lines[place.Line(piece.lines.size())], /*rw=*/1);
  }
}

void IdFilter::AddPiece(uint64_t ids_max) {
  Piece& piece = pieces_.emplace_back();
  piece.ids_max = ids_max;
  piece.room = ids_max;
  piece.lines.resize((ids_max + kLineIds - 1) / kLineIds);
  memory_bytes_ += piece.lines.size() * sizeof(Line);
}

void IdFilter::Reserve(uint64_t ids) {
  if (ids > kFirstPieceIds) {
    AddPiece(ids);
  }
}

void IdFilter::Add(std::string_view id) {
  if (MayHave(id)) {
    return;  // And always will: an id that is stored again and again takes no more room.
  }
  if (pieces_.empty() || pieces_.back().room == 0) {
    AddPiece(pieces_.empty() ? kFirstPieceIds : 2 * pieces_.back().ids_max);
  }
  const Place place(id);
  Piece& piece = pieces_.back();
  Line& line = piece.lines[place.Line(piece.lines.size())];
  place.ForEachBit([&](size_t word, uint64_t bit) { line.words[word] |= bit; });
  --piece.room;
}

void IdFilter::AddAll(std::span<const std::string_view> ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) {
      Prefetch(ids[i + kAhead]);
    }
    Add(ids[i]);
  }
}

}  // namespace kindred
