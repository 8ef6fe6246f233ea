// Prints the answers of searches that differ in their query alone: JSON lines, or tables with a gap between.
//
// Threads: one caller at a time.
// Cost: each answer is flushed, so that whoever reads a pipe has it at once and an interrupt loses none.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "client/cli/output.h"
#include "client/cli/session.h"
#include "client/client.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

class SearchPrinter {
 public:
  // `request` is what the searches have in common, `first_rank` what the first hit of each is numbered by.
  // `session` and `client` must outlive this.
  SearchPrinter(const Session& session, client::Client& client, const v1::SearchRequest& request,
                uint64_t first_rank = 1);

  // `name` stands for the query.
  absl::Status Print(const std::string& name, const v1::SearchResponse& response);

 private:
  std::string ToText(const std::string& name, const v1::SearchResponse& response);
  void LearnDepth();

  const Session& session_;
  client::Client& client_;
  const v1::Measure measure_;
  const uint64_t first_rank_;
  Output output_;
  std::optional<std::string> depth_;  // As a table shows it; nothing until the first.
  bool printed_ = false;
};

}  // namespace kindred::cli
