// Whether the pruned search ever differs from the exhaustive one on generated molecules, and whether
// recommendations do.

#pragma once

namespace kindred::test {

bool SearchesDiffer();
bool RecommendationsDiffer();

}  // namespace kindred::test
