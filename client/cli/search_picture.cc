#include "client/cli/search_picture.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "client/cli/output.h"
#include "client/cli/search_text.h"
#include "client/cli/text.h"
#include "client/drawing/neighbours_picture.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

// By id, as far as they are stored.
using Graphs = std::map<std::string, v1::Graph>;

absl::Status ReadGraphs(client::Client& client, std::span<const std::string> ids, Graphs& graphs) {
  if (ids.empty()) {
    return absl::OkStatus();
  }
  v1::GetRequest request;
  request.mutable_ids()->Assign(ids.begin(), ids.end());
  absl::StatusOr<v1::GetResponse> response = client.Get(request);
  if (absl::IsResourceExhausted(response.status()) && ids.size() > 1) {
    // Too much for one answer: ask for each half.
    KINDRED_RETURN_IF_ERROR(ReadGraphs(client, ids.first(ids.size() / 2), graphs));
    return ReadGraphs(client, ids.subspan(ids.size() / 2), graphs);
  }
  KINDRED_RETURN_IF_ERROR(response.status());
  for (v1::GetResponse::Entry& entry : *response->mutable_entries()) {
    if (entry.has_record()) {
      graphs[entry.id()] = std::move(*entry.mutable_record()->mutable_graph());
    }
  }
  return absl::OkStatus();
}

const v1::Graph* Find(const Graphs& graphs, const std::string& id) {
  const auto found = graphs.find(id);
  return found == graphs.end() ? nullptr : &found->second;
}

std::string SimilarityCaption(v1::Measure measure, const v1::Hit& hit) {
  return measure == v1::MEASURE_KERNEL ? "kernel " + FormatNumber(hit.kernel())
                                       : fmt::format("{} {:.4f}", MeasureWord(measure), hit.similarity());
}

}  // namespace

absl::Status CheckDrawable(const v1::SearchRequest& request) {
  if (request.k() > drawing::kDrawnHitsMax) {
    return MakeStatus(absl::StatusCode::kResourceExhausted, "-k: {} is more than the {} that --svg draws",
                      request.k(), drawing::kDrawnHitsMax);
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> DrawSearch(const Session& session, client::Client& client,
                                    const v1::SearchRequest& request, const std::string& name,
                                    const v1::SearchResponse& response, const std::string& path) {
  std::vector<std::string> ids;
  for (const v1::Hit& hit : response.hits()) {
    ids.push_back(hit.id());
  }
  if (request.has_id()) {
    ids.push_back(request.id());
  }
  Graphs graphs;
  KINDRED_RETURN_IF_ERROR(ReadGraphs(client, ids, graphs));
  const drawing::NeighbourCell query{Printable(name), "query",
                                     request.has_id() ? Find(graphs, request.id()) : &request.graph()};
  std::vector<drawing::NeighbourCell> hits;
  for (const v1::Hit& hit : response.hits()) {
    hits.push_back({Printable(hit.id()), SimilarityCaption(request.measure(), hit), Find(graphs, hit.id())});
  }
  KINDRED_ASSIGN_OR_RETURN(const drawing::NeighboursPicture picture, drawing::DrawNeighbours(query, hits));
  for (const std::string& note : picture.notes) {
    session.Say(note);
  }
  KINDRED_ASSIGN_OR_RETURN(Output output, Output::Open(path, session.out()));
  KINDRED_RETURN_IF_ERROR(output.Write(picture.svg));
  KINDRED_RETURN_IF_ERROR(output.Close());
  return picture.notes.empty() ? ExitCode::kOk : ExitCode::kPartly;
}

}  // namespace kindred::cli
