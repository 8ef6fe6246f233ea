#include "client/cli/search_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "client/cli/json.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
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

std::string SearchJsonLine(const std::string& query, const v1::SearchResponse& response) {
  Json hits = Json::array();
  for (const v1::Hit& hit : response.hits()) {
    hits.push_back({{"id", hit.id()},
                    {"kernel", JsonNumber(hit.kernel())},
                    {"similarity", JsonNumber(hit.similarity())}});
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
                       const v1::SearchResponse& response, const std::vector<std::string>& payloads,
                       bool colour) {
  std::string text = fmt::format("query {}  measure {}  depth {}  sequence {}  {} us\n", Printable(query),
                                 MeasureWord(measure), depth, response.sequence(), response.stats().micros());
  if (response.hits().empty()) {
    return text + "no graph is that similar\n";
  }
  const bool has_payloads =
      std::ranges::any_of(payloads, [](const std::string& payload) { return !payload.empty(); });
  std::vector<Table::Column> columns = {
      {"rank", Align::kRight}, {"id"}, {"similarity", Align::kRight}, {"kernel", Align::kRight}};
  if (has_payloads) {
    columns.push_back({"payload"});
  }
  Table table(columns);
  for (int i = 0; i < response.hits_size(); ++i) {
    const v1::Hit& hit = response.hits(i);
    std::vector<std::string> cells = {std::to_string(i + 1), hit.id(),
                                      fmt::format("{:.4f}", hit.similarity()), FormatNumber(hit.kernel())};
    if (has_payloads) {
      cells.push_back(payloads[static_cast<size_t>(i)]);
    }
    table.AddRow(std::move(cells));
  }
  return text + table.Render(colour);
}

}  // namespace kindred::cli
