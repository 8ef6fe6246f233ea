// The options that say which graphs may be hits, from where on they are listed, and what is shown of them.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

// What the daemon reads as a filter is checked there.
struct FilterFlags {
  std::string filter;
  std::vector<std::string> exclude;
};

void AddFilterFlags(CLI::App& app, FilterFlags& flags);

// `request` is any message with a filter and ids to exclude.
template <typename Request>
void SetFilter(const FilterFlags& flags, Request& request) {
  request.set_filter(flags.filter);
  request.mutable_exclude_ids()->Assign(flags.exclude.begin(), flags.exclude.end());
}

// What is shown of a hit; by default the payload in a table, nothing in JSON lines.
enum class Fields { kDefault, kNone, kPayload, kTags, kBoth };

void AddFields(CLI::App& app, Fields& fields);

// `request` is any message that asks for payload and tags.
template <typename Request>
void SetFields(Fields fields, bool json, Request& request) {
  request.set_with_payload(fields == Fields::kPayload || fields == Fields::kBoth ||
                           (fields == Fields::kDefault && !json));
  request.set_with_tags(fields == Fields::kTags || fields == Fields::kBoth);
}

// Which part of a long answer.
struct PageFlags {
  uint32_t page = 1;
  std::string after;
};

// Neither goes together with `file`, the option of many queries.
void AddPageFlags(CLI::App& app, PageFlags& flags, CLI::Option* file);

// A hit as `--json` prints it, or a whole line of that: then its last hit. INVALID_ARGUMENT for other texts.
absl::StatusOr<v1::Hit> ParseHit(const std::string& text);

}  // namespace kindred::cli
