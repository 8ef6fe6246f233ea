#include "index/filter/contradiction.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/status.h"

namespace kindred {
namespace {

using NodeKind = FilterNode::Kind;

// Of an `in` so many values are shown.
constexpr size_t kShownValues = 3;

// A node, or its negation.
struct Claim {
  const FilterNode* node = nullptr;
  bool negated = false;

  bool Wants(NodeKind kind, bool not_so) const { return node->kind == kind && negated == not_so; }
};

using Claims = std::vector<Claim>;

std::string Shown(const Claim& claim) {
  const FilterNode& node = *claim.node;
  std::string text;
  if (node.kind == NodeKind::kExists) {
    text = fmt::format("{}exists {}", claim.negated ? "not " : "", node.key);
  } else if (node.values.size() == 1) {
    text = fmt::format("{} {} {}", node.key, claim.negated ? "!=" : "=", node.values.front());
  } else {
    const auto shown = std::min(node.values.size(), kShownValues);
    text =
        fmt::format("{} {}in ({}{})", node.key, claim.negated ? "not " : "",
                    fmt::join(node.values.begin(), node.values.begin() + static_cast<ptrdiff_t>(shown), ", "),
                    shown < node.values.size() ? ", ..." : "");
  }
  return fmt::format("'{}' (byte {})", text, node.byte);
}

// Those of one key, all of which must hold; the last one is new. Which of them contradict each other; none:
// they do not.
Claims Contradicting(const Claims& claims) {
  const Claim& last = claims.back();
  const bool last_absent = last.Wants(NodeKind::kExists, true);
  const bool last_present = last.Wants(NodeKind::kExists, false) || last.Wants(NodeKind::kIn, false);
  std::optional<std::vector<std::string>> left;  // Nothing: any value.
  Claims about_values;
  for (const Claim& claim : claims) {
    const bool present = claim.Wants(NodeKind::kExists, false) || claim.Wants(NodeKind::kIn, false);
    if ((last_absent && present) || (last_present && claim.Wants(NodeKind::kExists, true))) {
      return {claim, last};
    }
    if (claim.Wants(NodeKind::kIn, false)) {
      const std::vector<std::string>& values = claim.node->values;
      std::vector<std::string> both;
      std::ranges::set_intersection(left.value_or(values), values, std::back_inserter(both));
      left = std::move(both);
    }
    if (claim.node->kind == NodeKind::kIn) {
      about_values.push_back(claim);
    }
  }
  for (const Claim& claim : about_values) {
    if (left && claim.negated) {
      std::erase_if(*left, [&](const std::string& value) {
        return std::ranges::binary_search(claim.node->values, value);
      });
    }
  }
  return left && left->empty() ? about_values : Claims();
}

class Contradictions {
 public:
  // Conditions that contradict each other if `claim` is to hold, and all that is claimed around it; none: not
  // found.
  Claims Find(const Claim& claim) {
    Claims alternatives;
    std::vector<std::string_view> added;
    in_each_ = false;
    Claims found = Add(claim, alternatives, added);
    for (size_t i = 0; i < alternatives.size() && found.empty(); ++i) {
      found = FindInEach(alternatives[i]);
    }
    for (const std::string_view key : added) {
      by_key_[key].pop_back();
    }
    return found;
  }

  // Whether what Find found last is so in each alternative of some `or`, and was told of the first.
  bool in_each() const { return in_each_; }

 private:
  // Puts conditions that must hold to those that must, and what has alternatives to those.
  Claims Add(const Claim& claim, Claims& alternatives, std::vector<std::string_view>& added) {
    const FilterNode& node = *claim.node;
    Claims found;
    switch (node.kind) {
      case NodeKind::kNot:
        found = Add({&node.parts.front(), !claim.negated}, alternatives, added);
        break;
      case NodeKind::kAll:
      case NodeKind::kAny:
        if (claim.negated == (node.kind == NodeKind::kAll)) {
          alternatives.push_back(claim);
          break;
        }
        for (size_t i = 0; i < node.parts.size() && found.empty(); ++i) {
          found = Add({&node.parts[i], claim.negated}, alternatives, added);
        }
        break;
      case NodeKind::kIn:
      case NodeKind::kExists:
        by_key_[node.key].push_back(claim);
        added.push_back(node.key);
        found = Contradicting(by_key_[node.key]);
    }
    return found;
  }

  // Of alternatives: what was found in the first, if something was found in each.
  Claims FindInEach(const Claim& claim) {
    Claims first;
    for (const FilterNode& part : claim.node->parts) {
      Claims found = Find({&part, claim.negated});
      if (found.empty()) {
        return {};
      }
      if (first.empty()) {
        first = std::move(found);
      }
    }
    in_each_ = true;
    return first;
  }

  std::map<std::string_view, Claims> by_key_;  // What must hold where the search is now.
  bool in_each_ = false;
};

}  // namespace

absl::Status CheckSatisfiable(const FilterNode& root) {
  Contradictions contradictions;
  const Claims found = contradictions.Find({&root, false});
  if (found.empty()) {
    return absl::OkStatus();
  }
  std::string parts;
  for (size_t i = 0; i < found.size(); ++i) {
    parts += fmt::format("{}{}", i == 0 ? "" : (i + 1 < found.size() ? ", " : " and "), Shown(found[i]));
  }
  return InvalidArgument("filter: no graph can match: {} contradict each other{}", parts,
                         contradictions.in_each() ? ", and so do others in the other alternatives" : "");
}

}  // namespace kindred
