// What --svg does for a search: the query and its hits as a picture.
//
// Threads: one caller at a time.
// Cost: a call for the graphs of the hits, and some milliseconds a molecule.

#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/cli/exit_code.h"
#include "client/cli/session.h"
#include "client/client.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

// RESOURCE_EXHAUSTED for a search that may find more than a picture shows.
absl::Status CheckDrawable(const v1::SearchRequest& request);

// Writes `path` ("-": standard output). `name` stands for the query. Hits that cannot be drawn are reported
// and leave their place empty: kPartly.
absl::StatusOr<ExitCode> DrawSearch(const Session& session, client::Client& client,
                                    const v1::SearchRequest& request, const std::string& name,
                                    const v1::SearchResponse& response, const std::string& path);

}  // namespace kindred::cli
