// Whether a running daemon holds what its clients' ledgers say, and answers exactly.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client/client.h"
#include "tests/crash/ledger.h"

namespace kindred::test {

// Every record the ledgers have, as it was written last, and no other; the daemon counts as many.
void ExpectHolds(client::Client& client, const std::vector<Ledger>& ledgers);

// The pruned search answers as the exhaustive one, id for id and score for score.
void ExpectModesAgree(client::Client& client, const Molecules& queries);

// The daemon's own audit finds nothing.
void ExpectVerifies(client::Client& client);

}  // namespace kindred::test
