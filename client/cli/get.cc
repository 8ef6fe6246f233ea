// kindred get: reads records by id.

#include <memory>
#include <span>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/output.h"
#include "client/cli/read_flags.h"
#include "client/cli/record_text.h"
#include "client/cli/session.h"
#include "client/formats/jsonl_writer.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

using Ids = std::vector<std::string>;

constexpr size_t kGetBatchIds = 256;

class Getter {
 public:
  Getter(const Session& session, client::Client& client)
      : session_(session), client_(client), output_(session.out()) {}

  absl::Status Get(std::span<const std::string> ids) {
    v1::GetRequest request;
    request.mutable_ids()->Assign(ids.begin(), ids.end());
    const absl::StatusOr<v1::GetResponse> response = client_.Get(request);
    if (absl::IsResourceExhausted(response.status()) && ids.size() > 1) {
      // Too much for one answer: ask for each half.
      KINDRED_RETURN_IF_ERROR(Get(ids.first(ids.size() / 2)));
      return Get(ids.subspan(ids.size() / 2));
    }
    KINDRED_RETURN_IF_ERROR(response.status());
    for (const v1::GetResponse::Entry& entry : response->entries()) {
      if (entry.has_record()) {
        KINDRED_RETURN_IF_ERROR(Print(entry.record()));
      } else {
        missing_ = true;
        session_.Say(fmt::format("there is no graph with the id \"{}\"", entry.id()));
      }
    }
    return absl::OkStatus();
  }

  bool missing() const { return missing_; }

 private:
  absl::Status Print(const v1::Record& record) {
    KINDRED_ASSIGN_OR_RETURN(const std::string line, formats::ToJsonLine(record));
    if (session_.options.json) {
      return output_.Write(line + "\n");
    }
    const std::string gap = printed_ ? "\n" : "";
    printed_ = true;
    return output_.Write(gap + DescribeRecord(record) + line + "\n");
  }

  const Session& session_;
  client::Client& client_;
  Output output_;
  bool missing_ = false;
  bool printed_ = false;
};

absl::StatusOr<ExitCode> RunGet(const Session& session, const Ids& ids) {
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  Getter getter(session, *client);
  for (size_t begin = 0; begin < ids.size(); begin += kGetBatchIds) {
    KINDRED_RETURN_IF_ERROR(
        getter.Get(std::span(ids).subspan(begin, std::min(kGetBatchIds, ids.size() - begin))));
  }
  return getter.missing() ? ExitCode::kPartly : ExitCode::kOk;
}

}  // namespace

Command AddGet(CLI::App& parent) {
  const auto ids = std::make_shared<Ids>();
  CLI::App& app = *parent.add_subcommand("get", "read graphs by id");
  AddWords(app, "ID", *ids, "ids of graphs; after -- also such as start with a dash");
  app.footer("Exit code 3: some ids were not found.");
  return {&app, [ids](Session& session) { return RunGet(session, *ids); }};
}

}  // namespace kindred::cli
