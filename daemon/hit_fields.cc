#include "daemon/hit_fields.h"

#include "daemon/convert.h"
#include "index/base/status.h"

namespace kindred::daemon {

absl::StatusOr<std::vector<std::string>> ToExcluded(
    const google::protobuf::RepeatedPtrField<std::string>& exclude_ids, const Limits& limits) {
  if (static_cast<uint64_t>(exclude_ids.size()) > limits.exclude_max) {
    return OverLimit("exclude_ids", static_cast<uint64_t>(exclude_ids.size()), "exclude_max",
                     limits.exclude_max);
  }
  for (int i = 0; i < exclude_ids.size(); ++i) {
    KINDRED_RETURN_IF_ERROR(Annotate(CheckId(exclude_ids.Get(i)), fmt::format("exclude_ids[{}].", i)));
  }
  return std::vector<std::string>(exclude_ids.begin(), exclude_ids.end());
}

WantedFields ToWantedFields(bool with_payload, bool with_tags) {
  if (with_payload) {
    return with_tags ? WantedFields::kBoth : WantedFields::kPayload;
  }
  return with_tags ? WantedFields::kTags : WantedFields::kNone;
}

void AddTags(const Tags& tags, google::protobuf::RepeatedPtrField<v1::Tag>& out) {
  for (const auto& [key, value] : tags) {
    v1::Tag& tag = *out.Add();
    tag.set_key(key);
    tag.set_value(value);
  }
}

}  // namespace kindred::daemon
