// kindred delete: removes graphs by id.

#include <algorithm>
#include <memory>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/output.h"
#include "client/cli/read_flags.h"
#include "client/cli/session.h"
#include "client/grpc_status.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

using Ids = std::vector<std::string>;

constexpr size_t kDeleteBatchIds = 1000;

absl::StatusOr<ExitCode> RunDelete(const Session& session, const Ids& ids) {
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  Output output(session.out());
  uint64_t deleted = 0;
  for (size_t begin = 0; begin < ids.size(); begin += kDeleteBatchIds) {
    const size_t end = std::min(begin + kDeleteBatchIds, ids.size());
    v1::DeleteRequest request;
    for (size_t i = begin; i < end; ++i) {
      request.add_ids(ids[i]);
    }
    KINDRED_ASSIGN_OR_RETURN(const v1::DeleteResponse response, client->Delete(request));
    if (static_cast<size_t>(response.outcomes_size()) != end - begin) {
      return absl::InternalError("the daemon did not answer for every id");
    }
    for (size_t i = begin; i < end; ++i) {
      const absl::Status outcome = client::FromOutcome(response.outcomes(static_cast<int>(i - begin)));
      deleted += outcome.ok() ? 1 : 0;
      if (absl::IsNotFound(outcome)) {
        session.Say(fmt::format("there is no graph with the id \"{}\"", ids[i]));
      } else if (!outcome.ok()) {
        session.Say(fmt::format("{}: {}", ids[i], std::string(outcome.message())));
      }
      if (session.options.json) {
        const Json json = {{"id", ids[i]}, {"deleted", outcome.ok()}, {"sequence", response.sequence()}};
        KINDRED_RETURN_IF_ERROR(output.Write(JsonLine(json)));
      }
    }
  }
  if (!session.options.json) {
    KINDRED_RETURN_IF_ERROR(output.Write(fmt::format("deleted {} of {}\n", deleted, ids.size())));
  }
  return deleted == ids.size() ? ExitCode::kOk : ExitCode::kPartly;
}

}  // namespace

Command AddDelete(CLI::App& parent) {
  const auto ids = std::make_shared<Ids>();
  CLI::App& app = *parent.add_subcommand("delete", "remove graphs by id");
  AddWords(app, "ID", *ids, "ids of graphs; after -- also such as start with a dash");
  app.footer("Exit code 3: some ids were not found.");
  return {&app, [ids](Session& session) { return RunDelete(session, *ids); }};
}

}  // namespace kindred::cli
