#include "client/cli/recommend_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "client/cli/json.h"
#include "client/cli/record_text.h"
#include "client/cli/search_text.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
#include "fmt/format.h"

namespace kindred::cli {
namespace {

using Examples = google::protobuf::RepeatedPtrField<v1::RecommendRequest::Example>;

const char* FormWord(const v1::RecommendRequest& request) {
  return request.form() == v1::RecommendRequest::BEST_MINIMUM ? "minimum" : "sum";
}

Json ExamplesJson(const Examples& examples, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (int i = 0; i < examples.size(); ++i) {
    list.push_back({{"name", names[static_cast<size_t>(i)]}, {"weight", JsonNumber(examples[i].weight())}});
  }
  return list;
}

// "+morphine", "-2 caffeine".
void AddColumns(char sign, const Examples& examples, const std::vector<std::string>& names,
                std::vector<Table::Column>& columns) {
  for (int i = 0; i < examples.size(); ++i) {
    const double weight = examples[i].weight();
    const std::string times = weight == 1 ? "" : FormatNumber(weight) + " ";
    columns.push_back({sign + times + Printable(names[static_cast<size_t>(i)]), Align::kRight});
  }
}

}  // namespace

std::string RecommendJsonLine(const v1::RecommendRequest& request, const ExampleNames& names,
                              const v1::RecommendResponse& response) {
  Json hits = Json::array();
  for (const v1::RecommendResponse::Hit& hit : response.hits()) {
    Json similarities = Json::array();
    for (const double similarity : hit.similarities()) {
      similarities.push_back(JsonNumber(similarity));
    }
    Json json{{"id", hit.id()}, {"score", JsonNumber(hit.score())}, {"similarities", similarities}};
    AddFieldsJson(hit.payload(), hit.tags(), json);
    hits.push_back(json);
  }
  return JsonLine({{"liked", ExamplesJson(request.liked(), names.liked)},
                   {"disliked", ExamplesJson(request.disliked(), names.disliked)},
                   {"form", FormWord(request)},
                   {"measure", MeasureWord(request.measure())},
                   {"sequence", response.sequence()},
                   {"hits", hits},
                   {"stats",
                    {{"postings_read", response.stats().postings_read()},
                     {"candidates", response.stats().candidates()},
                     {"micros", response.stats().micros()},
                     {"blocks_bounded", response.stats().blocks_bounded()},
                     {"blocks_scored", response.stats().blocks_scored()}}}});
}

std::string RecommendText(const v1::RecommendRequest& request, const ExampleNames& names,
                          const std::string& depth, const v1::RecommendResponse& response, bool colour) {
  std::string text =
      fmt::format("liked {}  disliked {}  form {}  measure {}  depth {}  sequence {}  {} us\n",
                  request.liked_size(), request.disliked_size(), FormWord(request),
                  MeasureWord(request.measure()), depth, response.sequence(), response.stats().micros());
  if (response.hits().empty()) {
    return text + "no graph has such a score\n";
  }
  std::vector<Table::Column> columns = {{"rank", Align::kRight}, {"id"}, {"score", Align::kRight}};
  AddColumns('+', request.liked(), names.liked, columns);
  AddColumns('-', request.disliked(), names.disliked, columns);
  const auto& hits = response.hits();
  const bool payloads = std::ranges::any_of(
      hits, [](const v1::RecommendResponse::Hit& hit) { return !ShortPayload(hit.payload()).empty(); });
  const bool tags =
      std::ranges::any_of(hits, [](const v1::RecommendResponse::Hit& hit) { return hit.tags_size() > 0; });
  if (payloads) {
    columns.push_back({"payload"});
  }
  if (tags) {
    columns.push_back({"tags"});
  }
  Table table(columns);
  for (int i = 0; i < response.hits_size(); ++i) {
    const v1::RecommendResponse::Hit& hit = response.hits(i);
    std::vector<std::string> cells = {std::to_string(i + 1), hit.id(), fmt::format("{:.4f}", hit.score())};
    for (int example = 0; example < request.liked_size() + request.disliked_size(); ++example) {
      cells.push_back(example < hit.similarities_size() ? fmt::format("{:.4f}", hit.similarities(example))
                                                        : "?");
    }
    if (payloads) {
      cells.push_back(ShortPayload(hit.payload()));
    }
    if (tags) {
      cells.push_back(TagList(hit.tags()));
    }
    table.AddRow(std::move(cells));
  }
  return text + table.Render(colour);
}

}  // namespace kindred::cli
