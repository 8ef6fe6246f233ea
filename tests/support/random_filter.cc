#include "tests/support/random_filter.h"

#include <set>
#include <utility>

namespace kindred::test {
namespace {

// As they are stored; some need quotes.
const std::vector<std::string>& Keys() {
  static const std::vector<std::string> keys{"a", "and", "k e\"y"};
  return keys;
}
const std::vector<std::string>& Values() {
  static const std::vector<std::string> values{"", "x", "Y'\\", "in"};
  return values;
}

template <typename T>
const T& OneOf(Rng& rng, const std::vector<T>& all) {
  return all[Below(rng, all.size())];
}

std::string Space(Rng& rng) { return OneOf<std::string>(rng, {" ", "  ", "\t", " \n"}); }
std::string MaybeSpace(Rng& rng) { return Below(rng, 2) == 0 ? "" : Space(rng); }

std::string Quoted(Rng& rng, const std::string& word) {
  if ((word == "a" || word == "x") && Below(rng, 2) == 0) {
    return word;
  }
  const char quote = Below(rng, 2) == 0 ? '"' : '\'';
  std::string text(1, quote);
  for (const char c : word) {
    if (c == quote || c == '\\' || (c == '"' && Below(rng, 2) == 0)) {
      text += '\\';
    }
    text += c;
  }
  return text + quote;
}

std::string Keyword(Rng& rng, const std::string& lower, const std::string& upper) {
  return Below(rng, 4) == 0 ? upper : lower;
}

RandomFilter Condition(Rng& rng) {
  const std::string key = OneOf(rng, Keys());
  const std::string key_text = Quoted(rng, key);
  std::set<std::string> values{OneOf(rng, Values())};
  switch (Below(rng, 4)) {
    case 0:
      return {Keyword(rng, "exists", "EXISTS") + Space(rng) + key_text,
              [key](const TagMap& tags) { return tags.contains(key); }};
    case 1:
    case 2: {
      const std::string value = *values.begin();
      const bool equal = Below(rng, 3) != 0;
      return {key_text + MaybeSpace(rng) + (equal ? "=" : "!=") + MaybeSpace(rng) + Quoted(rng, value),
              [key, value, equal](const TagMap& tags) {
                const auto found = tags.find(key);
                return (found != tags.end() && found->second == value) == equal;
              }};
    }
    default:
      break;
  }
  std::string list = Quoted(rng, *values.begin());
  for (uint64_t more = Below(rng, 3); more > 0; --more) {
    const std::string value = OneOf(rng, Values());
    values.insert(value);
    list += MaybeSpace(rng) + "," + MaybeSpace(rng) + Quoted(rng, value);
  }
  const bool negated = Below(rng, 3) == 0;
  return {key_text + Space(rng) + (negated ? Keyword(rng, "not", "Not") + Space(rng) : "") +
              Keyword(rng, "in", "In") + MaybeSpace(rng) + "(" + MaybeSpace(rng) + list + MaybeSpace(rng) +
              ")",
          [key, values, negated](const TagMap& tags) {
            const auto found = tags.find(key);
            return (found != tags.end() && values.contains(found->second)) != negated;
          }};
}

}  // namespace

// Parts stand in parentheses, so that their text means what they mean.
RandomFilter MakeRandomFilter(Rng& rng, int depth) {
  if (depth == 0 || Below(rng, 4) == 0) {
    return Condition(rng);
  }
  const RandomFilter first = MakeRandomFilter(rng, depth - 1);
  if (Below(rng, 4) == 0) {
    return {Keyword(rng, "not", "NOT") + MaybeSpace(rng) + "(" + first.text + ")",
            [first](const TagMap& tags) { return !first.matches(tags); }};
  }
  const RandomFilter second = MakeRandomFilter(rng, depth - 1);
  const bool both = Below(rng, 2) == 0;
  const std::string word = both ? Keyword(rng, "and", "AND") : Keyword(rng, "or", "Or");
  return {"(" + first.text + ")" + MaybeSpace(rng) + word + Space(rng) + "(" + second.text + ")",
          [first, second, both](const TagMap& tags) {
            return both ? first.matches(tags) && second.matches(tags)
                        : first.matches(tags) || second.matches(tags);
          }};
}

TagMap RandomTags(Rng& rng) {
  TagMap tags;
  for (const std::string& key : Keys()) {
    if (Below(rng, 3) != 0) {
      tags[key] = OneOf(rng, Values());
    }
  }
  return tags;
}

Tags ToTags(const TagMap& tags) { return {tags.begin(), tags.end()}; }

std::vector<TagMap> AllTags() {
  std::vector<TagMap> all{{}};
  for (const std::string& key : Keys()) {
    std::vector<TagMap> more = all;  // Without the key.
    for (const TagMap& tags : all) {
      for (const std::string& value : Values()) {
        more.push_back(tags);
        more.back()[key] = value;
      }
      more.push_back(tags);
      more.back()[key] = "a value no filter names";
    }
    all = std::move(more);
  }
  return all;
}

}  // namespace kindred::test
