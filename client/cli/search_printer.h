// Prints the answers of searches that differ in their query alone: JSON lines, or tables with a gap between.
//
// Threads: one caller at a time.
// Cost: for tables one more call an answer, for the payloads of its hits. Each answer is flushed, so that
//       whoever reads a pipe has it at once and an interrupt loses none.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/cli/output.h"
#include "client/cli/session.h"
#include "client/client.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

class SearchPrinter {
 public:
  // `request` is what the searches have in common. `session` and `client` must outlive this.
  SearchPrinter(const Session& session, client::Client& client, const v1::SearchRequest& request);

  // `name` stands for the query.
  absl::Status Print(const std::string& name, const v1::SearchResponse& response);

 private:
  std::string ToText(const std::string& name, const v1::SearchResponse& response);
  void LearnDepth();
  // One for each hit, empty where there is nothing short to show; none at all when they cannot be had.
  std::vector<std::string> Payloads(const v1::SearchResponse& response);

  const Session& session_;
  client::Client& client_;
  const v1::Measure measure_;
  Output output_;
  std::optional<std::string> depth_;  // As a table shows it; nothing until the first.
  bool printed_ = false;
  bool daemon_gone_ = false;  // To ask again would only delay the answers that came before.
};

}  // namespace kindred::cli
