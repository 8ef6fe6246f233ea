// Whether the join of all pairs ever differs from comparing every two histograms, on generated molecules.

#pragma once

namespace kindred::test {

bool JoinsDiffer();

}  // namespace kindred::test
