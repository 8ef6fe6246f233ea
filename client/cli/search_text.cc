#include "client/cli/search_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "absl/strings/escaping.h"
#include "client/cli/json.h"
#include "client/cli/record_text.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
#include "client/formats/record_check.h"
#include "index/base/status.h"

namespace kindred::cli {
std::vector<Choice<v1::Measure>> MeasureChoices() {
  return {{"tanimoto", v1::MEASURE_TANIMOTO}, {"cosine", v1::MEASURE_COSINE}, {"kernel", v1::MEASURE_KERNEL}};
}

std::string MeasureWord(v1::Measure measure) {
  for (const Choice<v1::Measure>& choice : MeasureChoices()) {
    if (choice.value == measure) {
      return choice.word;
    }
  }
  return "?";
}

absl::StatusOr<std::vector<double>> ParseWeights(std::string_view text) {
  std::vector<double> weights;
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    double weight = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), weight);
    if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(weight) || weight < 0) {
      return InvalidArgument("\"{}\" is not a weight: write numbers of 0 or more with commas between", part);
    }
    weights.push_back(weight);
    if (comma == std::string_view::npos) {
      return weights;
    }
    text.remove_prefix(comma + 1);
  }
}

void AddFieldsJson(const std::string& payload, const google::protobuf::RepeatedPtrField<v1::Tag>& tags,
                   Json& json) {
  if (formats::IsUtf8(payload) && !payload.empty()) {
    json["payload"] = payload;
  } else if (!payload.empty()) {
    json["payload_base64"] = absl::Base64Escape(payload);
  }
  for (const v1::Tag& tag : tags) {
    json["tags"][tag.key()] = tag.value();
  }
}

namespace {

Json HitJson(const v1::Hit& hit) {
  Json json{{"id", hit.id()},
            {"kernel", JsonNumber(hit.kernel())},
            {"similarity", JsonNumber(hit.similarity())},
            {"vertices", hit.vertices()}};
  AddFieldsJson(hit.payload(), hit.tags(), json);
  return json;
}

}  // namespace

std::string SearchJsonLine(const std::string& query, const v1::SearchResponse& response) {
  Json hits = Json::array();
  for (const v1::Hit& hit : response.hits()) {
    hits.push_back(HitJson(hit));
  }
  return JsonLine({{"query", query},
                   {"sequence", response.sequence()},
                   {"hits", hits},
                   {"stats",
                    {{"postings_read", response.stats().postings_read()},
                     {"candidates", response.stats().candidates()},
                     {"micros", response.stats().micros()},
                     {"blocks_bounded", response.stats().blocks_bounded()},
                     {"blocks_scored", response.stats().blocks_scored()}}}});
}

std::string SearchText(const std::string& query, v1::Measure measure, const std::string& depth,
                       const v1::SearchResponse& response, uint64_t first_rank, bool colour) {
  std::string text = fmt::format("query {}  measure {}  depth {}  sequence {}  {} us\n", Printable(query),
                                 MeasureWord(measure), depth, response.sequence(), response.stats().micros());
  const auto& hits = response.hits();
  if (hits.empty()) {
    return text + (first_rank == 1 ? "no graph is that similar\n" : "no graph comes after those\n");
  }
  const bool payloads =
      std::ranges::any_of(hits, [](const v1::Hit& hit) { return !ShortPayload(hit.payload()).empty(); });
  const bool tags = std::ranges::any_of(hits, [](const v1::Hit& hit) { return hit.tags_size() > 0; });
  std::vector<Table::Column> columns = {
      {"rank", Align::kRight}, {"id"}, {"similarity", Align::kRight}, {"kernel", Align::kRight}};
  if (payloads) {
    columns.push_back({"payload"});
  }
  if (tags) {
    columns.push_back({"tags"});
  }
  Table table(columns);
  for (const v1::Hit& hit : hits) {
    std::vector<std::string> cells = {std::to_string(first_rank++), hit.id(),
                                      fmt::format("{:.4f}", hit.similarity()), FormatNumber(hit.kernel())};
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
