// A frame of an ingest stream as the writer wants it.
//
// Threads: the executor's; a value.

#pragma once

#include <string>

#include "index/base/limits.h"
#include "index/engine/mutation.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// Fills in the mutations of the request and, for a client with a name, whose frame it is.
void ReadFrame(const v1::IngestFrame& frame, const std::string& client_id, WriteMode mode,
               const Limits& limits, WriteRequest& request);

}  // namespace kindred::daemon
