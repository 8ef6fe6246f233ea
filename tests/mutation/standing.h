// Whether standing queries ever differ from a loop over all of them.

#pragma once

namespace kindred::test {

bool StandingQueriesDiffer();

}  // namespace kindred::test
