#include "tests/support/assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "index/base/check.h"

namespace kindred::test {
namespace {

// Made square: an added row or column pairs with anything for nothing.
SimilarityMatrix Square(const SimilarityMatrix& similarity) {
  const size_t columns = similarity.empty() ? 0 : similarity.front().size();
  const size_t n = std::max(similarity.size(), columns);
  SimilarityMatrix square = similarity;
  square.resize(n);
  for (std::vector<int64_t>& row : square) {
    row.resize(n, 0);
  }
  return square;
}

}  // namespace

// Shortest augmenting paths with potentials (Jonker and Volgenant's form). Rows and columns count from
// 1; column 0 stands for the row that is being placed.
int64_t HungarianAssignment(const SimilarityMatrix& similarity) {
  const SimilarityMatrix square = Square(similarity);
  const size_t n = square.size();
  constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max() / 4;
  const auto cost = [&](size_t row, size_t column) { return -square[row - 1][column - 1]; };

  std::vector<int64_t> row_potential(n + 1, 0);
  std::vector<int64_t> column_potential(n + 1, 0);
  std::vector<size_t> row_of(n + 1, 0);  // For each column the row it is paired with, or 0.
  for (size_t row = 1; row <= n; ++row) {
    std::vector<int64_t> slack(n + 1, kInfinity);
    std::vector<size_t> came_from(n + 1, 0);
    std::vector<bool> visited(n + 1, false);
    row_of[0] = row;
    size_t at = 0;
    while (row_of[at] != 0) {
      visited[at] = true;
      int64_t delta = kInfinity;
      size_t next = 0;
      for (size_t column = 1; column <= n; ++column) {
        if (visited[column]) {
          continue;
        }
        const int64_t reduced =
            cost(row_of[at], column) - row_potential[row_of[at]] - column_potential[column];
        if (reduced < slack[column]) {
          slack[column] = reduced;
          came_from[column] = at;
        }
        if (slack[column] < delta) {
          delta = slack[column];
          next = column;
        }
      }
      for (size_t column = 0; column <= n; ++column) {
        if (visited[column]) {
          row_potential[row_of[column]] += delta;
          column_potential[column] -= delta;
        } else {
          slack[column] -= delta;
        }
      }
      at = next;
    }
    for (; at != 0; at = came_from[at]) {
      row_of[at] = row_of[came_from[at]];
    }
  }

  int64_t value = 0;
  for (size_t column = 1; column <= n; ++column) {
    value += square[row_of[column] - 1][column - 1];
  }
  return value;
}

int64_t BruteForceAssignment(const SimilarityMatrix& similarity) {
  const SimilarityMatrix square = Square(similarity);
  KINDRED_CHECK(square.size() <= 7);
  std::vector<size_t> column_of(square.size());
  std::iota(column_of.begin(), column_of.end(), size_t{0});
  int64_t best = 0;
  do {
    int64_t value = 0;
    for (size_t row = 0; row < square.size(); ++row) {
      value += square[row][column_of[row]];
    }
    best = std::max(best, value);
  } while (std::next_permutation(column_of.begin(), column_of.end()));
  return best;
}

}  // namespace kindred::test
