#include "index/hierarchy/awaited_colours.h"

#include "index/hierarchy/intern_table.h"
#include "index/hierarchy/keyed_hash.h"

namespace kindred {

size_t AwaitedColours::Hash::operator()(std::string_view bytes) const { return KeyedHash(key, bytes); }

AwaitedColours::AwaitedColours(const ColourHierarchy& hierarchy)
    : hierarchy_(hierarchy),
      labels_seen_(hierarchy.label_count()),
      labels_noted_(labels_seen_),
      colours_seen_(hierarchy.colour_count()),
      colours_noted_(colours_seen_),
      labels_(0, Hash{HashKey::Random().words}),
      colours_(0, Hash{HashKey::Random().words}) {}

void AwaitedColours::Add(Waiters& waiters, std::string_view bytes, uint32_t waiter) {
  auto at = waiters.find(bytes);
  if (at == waiters.end()) {
    at = waiters.emplace(bytes, std::vector<uint32_t>()).first;
  }
  // Vertices that look alike wait for the same.
  if (at->second.empty() || at->second.back() != waiter) {
    at->second.push_back(waiter);
  }
}

void AwaitedColours::Take(Waiters& waiters, std::string_view bytes, std::vector<uint32_t>& taken) {
  if (const auto at = waiters.find(bytes); at != waiters.end()) {
    taken.insert(taken.end(), at->second.begin(), at->second.end());
    waiters.erase(at);
  }
}

void AwaitedColours::NoteIssued() {
  labels_noted_ = hierarchy_.label_count();
  colours_noted_ = hierarchy_.colour_count();
  if (labels_.empty()) {
    labels_seen_ = labels_noted_;
  }
  if (colours_.empty()) {
    colours_seen_ = colours_noted_;
  }
}

bool AwaitedColours::LookAtNoted(uint32_t most, std::vector<uint32_t>& waiters) {
  for (; labels_seen_ < labels_noted_ && most > 0; ++labels_seen_, --most) {
    Take(labels_, hierarchy_.label(LabelId{labels_seen_}), waiters);
  }
  for (; colours_seen_ < colours_noted_ && most > 0; ++colours_seen_, --most) {
    Take(colours_, hierarchy_.signature(ColourId{colours_seen_}), waiters);
  }
  return labels_seen_ == labels_noted_ && colours_seen_ == colours_noted_;
}

}  // namespace kindred
