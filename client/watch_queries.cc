#include "client/watch_queries.h"

#include <vector>

#include "index/base/status.h"

namespace kindred::client {
namespace {

// Records may have large payloads, and all of an answer has to fit in a message.
constexpr size_t kIdsACall = 8;

absl::Status ReadSome(Client& client, const std::vector<int>& places, v1::WatchRequest& request) {
  v1::GetRequest get;
  for (const int place : places) {
    get.add_ids(request.queries(place).graph().id());
  }
  KINDRED_ASSIGN_OR_RETURN(v1::GetResponse answer, client.Get(get));
  if (answer.entries_size() != get.ids_size()) {
    return absl::InternalError("the daemon did not answer for every id");
  }
  for (int i = 0; i < answer.entries_size(); ++i) {
    const int place = places[static_cast<size_t>(i)];
    if (!answer.entries(i).has_record()) {
      return MakeStatus(absl::StatusCode::kNotFound, "queries[{}].graph.id: no graph has the id '{}'", place,
                        get.ids(i));
    }
    v1::GraphOrId& graph = *request.mutable_queries(place)->mutable_graph();
    *graph.mutable_graph() = std::move(*answer.mutable_entries(i)->mutable_record()->mutable_graph());
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadGraphsOfIds(Client& client, v1::WatchRequest& request) {
  std::vector<int> places;
  for (int place = 0; place < request.queries_size(); ++place) {
    if (request.queries(place).graph().has_id()) {
      places.push_back(place);
    }
    if (places.size() == kIdsACall || (place + 1 == request.queries_size() && !places.empty())) {
      KINDRED_RETURN_IF_ERROR(ReadSome(client, places, request));
      places.clear();
    }
  }
  return absl::OkStatus();
}

}  // namespace kindred::client
