// Settings that compete to be chosen for one test fold.
//
// All of them are validated on a first fold of the training part; then, if it is a race, the worse half drops
// out, and again after the second fold and the fourth, so that an eighth is validated on all folds. Those
// that tie with the last that stays, stay. Without a race all stay to the end.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kindred::bench {

class Race {
 public:
  Race(size_t settings, bool drops);

  bool is_in(size_t setting) const { return in_[setting]; }
  void Drop(size_t setting) { in_[setting] = false; }
  // So many graphs more were right.
  void Add(size_t setting, uint32_t right) { right_[setting] += right; }
  // All that are in were validated on one fold more.
  void EndRound();

  // The first of those with the most right; if all were dropped, the first of all.
  size_t Best() const;

 private:
  const bool drops_;
  size_t rounds_ = 0;
  std::vector<bool> in_;
  std::vector<uint32_t> right_;
};

}  // namespace kindred::bench
