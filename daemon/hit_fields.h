// What requests for hits have in common: which ids are none, what comes with them.

#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/base/tags.h"
#include "index/engine/hit_fields.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

// Each is an id, stored or not; at most exclude_max.
absl::StatusOr<std::vector<std::string>> ToExcluded(
    const google::protobuf::RepeatedPtrField<std::string>& exclude_ids, const Limits& limits);

WantedFields ToWantedFields(bool with_payload, bool with_tags);

void AddTags(const Tags& tags, google::protobuf::RepeatedPtrField<v1::Tag>& out);

}  // namespace kindred::daemon
