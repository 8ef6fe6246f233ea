#include "index/filter/filter_parser.h"

#include <algorithm>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

using TokenKind = FilterToken::Kind;

bool IsKeyword(TokenKind kind) {
  return kind == TokenKind::kAnd || kind == TokenKind::kOr || kind == TokenKind::kNot ||
         kind == TokenKind::kIn || kind == TokenKind::kExists;
}

FilterNode Not(FilterNode part) {
  FilterNode node{FilterNode::Kind::kNot, part.byte};
  node.parts.push_back(std::move(part));
  return node;
}

}  // namespace

absl::StatusOr<std::optional<FilterNode>> FilterParser::Run() {
  KINDRED_RETURN_IF_ERROR(Advance());
  if (next_.kind == TokenKind::kEnd) {
    return std::nullopt;
  }
  KINDRED_ASSIGN_OR_RETURN(FilterNode root, Any(0));
  if (next_.kind != TokenKind::kEnd) {
    return Unexpected("'and', 'or' or the end");
  }
  return root;
}

absl::Status FilterParser::Advance() {
  KINDRED_ASSIGN_OR_RETURN(next_, tokens_.Next());
  return absl::OkStatus();
}

absl::Status FilterParser::Unexpected(std::string_view wanted) const {
  return InvalidArgument("filter: byte {}: expected {}, but found {}{}", next_.byte, wanted, Shown(next_),
                         IsKeyword(next_.kind) ? "; in quotes it is a word" : "");
}

absl::StatusOr<FilterToken> FilterParser::Take(TokenKind kind, std::string_view wanted) {
  if (next_.kind != kind) {
    return Unexpected(wanted);
  }
  FilterToken taken = std::move(next_);
  KINDRED_RETURN_IF_ERROR(Advance());
  return taken;
}

absl::StatusOr<FilterNode> FilterParser::Any(uint32_t depth) {
  return Several(FilterNode::Kind::kAny, TokenKind::kOr, &FilterParser::All, depth);
}

absl::StatusOr<FilterNode> FilterParser::All(uint32_t depth) {
  return Several(FilterNode::Kind::kAll, TokenKind::kAnd, &FilterParser::One, depth);
}

absl::StatusOr<FilterNode> FilterParser::Several(FilterNode::Kind kind, TokenKind between, Read part,
                                                 uint32_t depth) {
  KINDRED_ASSIGN_OR_RETURN(FilterNode first, (this->*part)(depth));
  if (next_.kind != between) {
    return first;
  }
  FilterNode node{kind, first.byte};
  node.parts.push_back(std::move(first));
  while (next_.kind == between) {
    KINDRED_RETURN_IF_ERROR(Advance());
    KINDRED_ASSIGN_OR_RETURN(FilterNode another, (this->*part)(depth));
    node.parts.push_back(std::move(another));
  }
  return node;
}

absl::StatusOr<FilterNode> FilterParser::One(uint32_t depth) {
  if (next_.kind != TokenKind::kNot && next_.kind != TokenKind::kOpen) {
    return Condition();
  }
  if (depth == kFilterDepthMax) {
    return InvalidArgument("filter: byte {}: more than {} deep in parentheses and 'not'", next_.byte,
                           kFilterDepthMax);
  }
  const bool negated = next_.kind == TokenKind::kNot;
  KINDRED_RETURN_IF_ERROR(Advance());
  if (negated) {
    KINDRED_ASSIGN_OR_RETURN(FilterNode part, One(depth + 1));
    return Not(std::move(part));
  }
  KINDRED_ASSIGN_OR_RETURN(FilterNode inner, Any(depth + 1));
  KINDRED_RETURN_IF_ERROR(Take(TokenKind::kClose, "'and', 'or' or ')'").status());
  return inner;
}

absl::StatusOr<FilterNode> FilterParser::Condition() {
  if (++conditions_ > kFilterConditionsMax) {
    return InvalidArgument("filter: byte {}: more than {} conditions", next_.byte, kFilterConditionsMax);
  }
  FilterNode node{FilterNode::Kind::kIn, next_.byte};
  const bool exists = next_.kind == TokenKind::kExists;
  if (exists) {
    node.kind = FilterNode::Kind::kExists;
    KINDRED_RETURN_IF_ERROR(Advance());
  }
  const uint32_t byte = next_.byte;
  KINDRED_ASSIGN_OR_RETURN(FilterToken key, Take(TokenKind::kWord, exists ? "a key" : "a condition"));
  if (key.text.empty()) {
    return InvalidArgument("filter: byte {}: expected a key, which is not empty", byte);
  }
  node.key = std::move(key.text);
  return exists ? std::move(node) : AfterKey(std::move(node));
}

absl::StatusOr<FilterNode> FilterParser::AfterKey(FilterNode node) {
  constexpr std::string_view kWanted = "'=', '!=', 'in' or 'not in'";
  if (next_.kind == TokenKind::kEqual || next_.kind == TokenKind::kUnequal) {
    const bool negated = next_.kind == TokenKind::kUnequal;
    KINDRED_RETURN_IF_ERROR(Advance());
    KINDRED_ASSIGN_OR_RETURN(FilterToken value, Take(TokenKind::kWord, "a value"));
    node.values.push_back(std::move(value.text));
    return negated ? Not(std::move(node)) : std::move(node);
  }
  const bool negated = next_.kind == TokenKind::kNot;
  if (negated) {
    KINDRED_RETURN_IF_ERROR(Advance());
  }
  KINDRED_RETURN_IF_ERROR(Take(TokenKind::kIn, negated ? "'in'" : kWanted).status());
  KINDRED_RETURN_IF_ERROR(Values(node));
  return negated ? Not(std::move(node)) : std::move(node);
}

absl::Status FilterParser::Values(FilterNode& node) {
  KINDRED_RETURN_IF_ERROR(Take(TokenKind::kOpen, "'('").status());
  while (true) {
    KINDRED_ASSIGN_OR_RETURN(FilterToken value, Take(TokenKind::kWord, "a value"));
    node.values.push_back(std::move(value.text));
    if (next_.kind != TokenKind::kComma) {
      break;
    }
    KINDRED_RETURN_IF_ERROR(Advance());
  }
  KINDRED_RETURN_IF_ERROR(Take(TokenKind::kClose, "',' or ')'").status());
  std::ranges::sort(node.values);
  // Not std::ranges::unique: clang 14, which builds the fuzz targets, cannot read that of GCC 12.
  node.values.erase(std::unique(node.values.begin(), node.values.end()), node.values.end());
  return absl::OkStatus();
}

}  // namespace kindred
