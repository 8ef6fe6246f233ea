#include "index/filter/filter.h"

#include <algorithm>

#include "index/base/status.h"
#include "index/filter/contradiction.h"
#include "index/filter/filter_parser.h"

namespace kindred {
namespace {

bool Holds(const FilterNode& node, const Tags& tags) {
  const auto holds = [&](const FilterNode& part) { return Holds(part, tags); };
  switch (node.kind) {
    case FilterNode::Kind::kNot:
      return !holds(node.parts.front());
    case FilterNode::Kind::kAll:
      return std::ranges::all_of(node.parts, holds);
    case FilterNode::Kind::kAny:
      return std::ranges::any_of(node.parts, holds);
    case FilterNode::Kind::kIn:
    case FilterNode::Kind::kExists:
      break;
  }
  const auto tag = std::ranges::find(tags, node.key, &Tags::value_type::first);
  return tag != tags.end() &&
         (node.kind == FilterNode::Kind::kExists || std::ranges::binary_search(node.values, tag->second));
}

}  // namespace

absl::StatusOr<Filter> Filter::Parse(std::string_view text, const Limits& limits) {
  if (text.size() > limits.filter_bytes_max) {
    return OverLimit("filter", text.size(), "filter_bytes_max", limits.filter_bytes_max);
  }
  KINDRED_ASSIGN_OR_RETURN(std::optional<FilterNode> root, FilterParser(text).Run());
  if (!root) {
    return Filter();
  }
  KINDRED_RETURN_IF_ERROR(CheckSatisfiable(*root));
  return Filter(*std::move(root));
}

bool Filter::Matches(const Tags& tags) const { return !root_ || Holds(*root_, tags); }

}  // namespace kindred
