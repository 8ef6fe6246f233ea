// Optimal assignment, solved without a hierarchy: what the kernel claims to compute.
//
// A matrix holds the similarity of every vertex of one graph to every vertex of another. An assignment
// pairs each row with at most one column and each column with at most one row; its value is the sum of
// the similarities of its pairs. Similarities are not negative, so the best one pairs off the smaller
// side. Two solvers that share nothing: the tests compare them with each other, too.

#pragma once

#include <cstdint>
#include <vector>

namespace kindred::test {

using SimilarityMatrix = std::vector<std::vector<int64_t>>;

// The value of the best assignment, by the Hungarian algorithm: O(n^3).
int64_t HungarianAssignment(const SimilarityMatrix& similarity);

// The same by trying all of them. REQUIRES: 7 rows and 7 columns at most.
int64_t BruteForceAssignment(const SimilarityMatrix& similarity);

}  // namespace kindred::test
