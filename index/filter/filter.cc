#include "index/filter/filter.h"

#include <algorithm>
#include <iterator>

#include "fmt/format.h"
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

void AppendWord(std::string& key, std::string_view word) {
  fmt::format_to(std::back_inserter(key), "{} {}", word.size(), word);
}

void AppendKey(std::string& key, const FilterNode& node) {
  fmt::format_to(std::back_inserter(key), "({} {} ", static_cast<int>(node.kind), node.values.size());
  AppendWord(key, node.key);
  for (const std::string& value : node.values) {
    AppendWord(key, value);
  }
  for (const FilterNode& part : node.parts) {
    AppendKey(key, part);
  }
  key += ')';
}

}  // namespace

Filter::Filter(FilterNode root) : root_(std::move(root)) { AppendKey(key_, *root_); }

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
