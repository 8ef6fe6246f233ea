#include "index/lists/tag_index.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace kindred {

size_t TagIndex::memory_bytes() const {
  size_t bytes = keys_.capacity() * sizeof(Key) + values_.capacity() * sizeof(Value) + text_.capacity() +
                 lists_.capacity() * sizeof(uint32_t) + bits_.capacity() * sizeof(uint64_t);
  for (const Key& key : keys_) {
    bytes += key.name.size();
  }
  return bytes;
}

std::string_view TagIndex::value(uint32_t value) const {
  const uint64_t begin = values_[value].text_begin;
  const uint64_t end = value + 1 < values_.size() ? values_[value + 1].text_begin : text_.size();
  return {text_.data() + begin, end - begin};
}

uint32_t TagIndex::FindKey(std::string_view key) const {
  const auto found = std::ranges::lower_bound(keys_, key, {}, &Key::name);
  return found != keys_.end() && found->name == key ? static_cast<uint32_t>(found - keys_.begin())
                                                    : key_count();
}

void TagIndex::AddSlots(const Slots& slots, std::span<uint64_t> bits) const {
  if (Many(slots.count)) {
    for (size_t word = 0; word < SlotWords(slot_count_); ++word) {
      bits[word] |= bits_[slots.begin + word];
    }
    return;
  }
  for (const uint32_t slot : std::span(lists_).subspan(slots.begin, slots.count)) {
    SetSlot(bits, slot);
  }
}

uint32_t TagIndex::FindValue(std::string_view key, std::string_view value) const {
  const uint32_t number = FindKey(key);
  if (number == key_count()) {
    return value_count();
  }
  uint32_t begin = values_begin(number);
  uint32_t end = values_end(number);
  while (begin < end) {  // std::views::iota would do, but clang 14 cannot read that of GCC 12.
    const uint32_t middle = begin + (end - begin) / 2;
    if (this->value(middle) < value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin < values_end(number) && this->value(begin) == value ? begin : value_count();
}

void TagIndex::AddSlots(std::string_view key, std::string_view value, std::span<uint64_t> bits) const {
  if (const uint32_t found = FindValue(key, value); found != value_count()) {
    AddSlots(values_[found].slots, bits);
  }
}

bool TagIndex::Has(std::string_view key, std::string_view value, uint32_t slot) const {
  const uint32_t found = FindValue(key, value);
  if (found == value_count()) {
    return false;
  }
  const Slots& slots = values_[found].slots;
  if (Many(slots.count)) {
    return (bits_[slots.begin + slot / 64] >> (slot % 64) & 1) != 0;
  }
  return std::ranges::binary_search(std::span(lists_).subspan(slots.begin, slots.count), slot);
}

void TagIndex::AddSlotsOfKey(std::string_view key, std::span<uint64_t> bits) const {
  const uint32_t number = FindKey(key);
  if (number == key_count()) {
    return;
  }
  if (Many(keys_[number].slots.count)) {
    AddSlots(keys_[number].slots, bits);
    return;
  }
  for (uint32_t value = values_begin(number); value < values_end(number); ++value) {
    AddSlots(values_[value].slots, bits);
  }
}

// No slots yet. Returns where they begin.
uint64_t TagIndexBuilder::AddBits() {
  const uint64_t begin = index_.bits_.size();
  index_.bits_.resize(begin + SlotWords(index_.slot_count_));
  return begin;
}

void TagIndexBuilder::Add(std::string_view key, std::string_view value, std::span<const uint32_t> slots) {
  if (index_.keys_.empty() || index_.keys_.back().name != key) {
    EndKey();
    index_.keys_.push_back({std::string(key), static_cast<uint32_t>(index_.values_.size()), {}});
  }
  const auto count = static_cast<uint32_t>(slots.size());
  with_key_ += count;
  uint64_t begin = index_.lists_.size();
  if (index_.Many(count)) {
    begin = AddBits();
    for (const uint32_t slot : slots) {
      SetSlot(std::span(index_.bits_).subspan(begin), slot);
    }
  } else {
    index_.lists_.insert(index_.lists_.end(), slots.begin(), slots.end());
  }
  index_.values_.push_back({index_.text_.size(), {begin, count}});
  index_.text_.insert(index_.text_.end(), value.begin(), value.end());
}

void TagIndexBuilder::EndKey() {
  if (index_.Many(with_key_)) {
    const auto number = static_cast<uint32_t>(index_.keys_.size() - 1);
    SlotBits all(SlotWords(index_.slot_count_));
    for (uint32_t value = index_.values_begin(number); value < index_.values_end(number); ++value) {
      index_.AddSlots(index_.values_[value].slots, all);
    }
    const uint64_t begin = AddBits();
    std::ranges::copy(all, index_.bits_.begin() + static_cast<ptrdiff_t>(begin));
    index_.keys_.back().slots = {begin, with_key_};
  }
  with_key_ = 0;
}

TagIndex TagIndexBuilder::Build() && {
  if (!index_.keys_.empty()) {
    EndKey();
  }
  index_.keys_.shrink_to_fit();
  index_.values_.shrink_to_fit();
  index_.text_.shrink_to_fit();
  index_.lists_.shrink_to_fit();
  index_.bits_.shrink_to_fit();
  return std::move(index_);
}

void TagCollector::Add(uint32_t slot, const Tags& tags) {
  for (const auto& [key, value] : tags) {
    const size_t begin = text_.size();
    text_ += key;
    text_ += value;
    entries_.push_back({begin, begin + key.size(), text_.size(), slot});
  }
}

TagIndex TagCollector::Build(uint32_t slot_count) const {
  struct Term {
    std::string_view key;
    std::string_view value;
    uint32_t slot = 0;
  };
  const std::string_view text = text_;
  std::vector<Term> terms;
  terms.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    terms.push_back({text.substr(entry.key_begin, entry.value_begin - entry.key_begin),
                     text.substr(entry.value_begin, entry.value_end - entry.value_begin), entry.slot});
  }
  std::ranges::sort(terms, {}, [](const Term& term) { return std::tie(term.key, term.value, term.slot); });
  TagIndexBuilder builder(slot_count);
  std::vector<uint32_t> slots;
  for (size_t i = 0; i < terms.size(); ++i) {
    slots.push_back(terms[i].slot);
    if (i + 1 == terms.size() || terms[i + 1].key != terms[i].key || terms[i + 1].value != terms[i].value) {
      builder.Add(terms[i].key, terms[i].value, slots);
      slots.clear();
    }
  }
  return std::move(builder).Build();
}

}  // namespace kindred
