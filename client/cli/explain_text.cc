#include "client/cli/explain_text.h"

#include <algorithm>
#include <vector>

#include "client/cli/json.h"
#include "client/cli/table.h"
#include "client/cli/text.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

const std::string& LabelOf(const v1::Graph& graph, uint32_t vertex) {
  return graph.labels(static_cast<int>(graph.vertices(static_cast<int>(vertex))));
}

bool HasLabels(const v1::Graph& graph) {
  return std::ranges::all_of(graph.vertices(), [&graph](uint32_t label) {
    return label < static_cast<uint32_t>(graph.labels_size());
  });
}

// The vertices of each graph that have no partner.
struct Unassigned {
  std::vector<uint32_t> a;
  std::vector<uint32_t> b;
};

Unassigned FindUnassigned(const v1::ExplainResponse& answer) {
  std::vector<bool> in_a(answer.vertices_a(), false);
  std::vector<bool> in_b(answer.vertices_b(), false);
  for (const v1::ExplainResponse::Pair& pair : answer.pairs()) {
    in_a[pair.a()] = in_b[pair.b()] = true;
  }
  const auto others = [](const std::vector<bool>& assigned) {
    std::vector<uint32_t> vertices;
    for (uint32_t v = 0; v < assigned.size(); ++v) {
      if (!assigned[v]) {
        vertices.push_back(v);
      }
    }
    return vertices;
  };
  return {others(in_a), others(in_b)};
}

// Sorted by the vertex of a; those of b alone come last.
std::string VerticesTable(const v1::ExplainResponse& answer, bool colour) {
  struct Row {
    uint32_t order;
    std::vector<std::string> cells;
  };
  std::vector<Row> rows;
  for (const v1::ExplainResponse::Pair& pair : answer.pairs()) {
    rows.push_back({pair.a(),
                    {std::to_string(pair.a()), LabelOf(answer.graph_a(), pair.a()), std::to_string(pair.b()),
                     LabelOf(answer.graph_b(), pair.b()),
                     pair.levels() == 0 ? "none" : std::to_string(pair.levels() - 1)}});
  }
  const Unassigned unassigned = FindUnassigned(answer);
  for (const uint32_t v : unassigned.a) {
    rows.push_back({v, {std::to_string(v), LabelOf(answer.graph_a(), v), "-", "", ""}});
  }
  std::ranges::stable_sort(rows, {}, &Row::order);
  for (const uint32_t v : unassigned.b) {
    rows.push_back({0, {"-", "", std::to_string(v), LabelOf(answer.graph_b(), v), ""}});
  }
  Table table({{"A", Align::kRight}, {"label"}, {"B", Align::kRight}, {"label"}, {"depth", Align::kRight}});
  for (Row& row : rows) {
    table.AddRow(std::move(row.cells));
  }
  return table.Render(colour);
}

std::string LevelsTable(const v1::ExplainResponse& answer, bool colour) {
  Table table({{"level", Align::kRight},
               {"weight", Align::kRight},
               {"overlap", Align::kRight},
               {"weight x overlap", Align::kRight}});
  for (int level = 0; level < answer.overlaps_size(); ++level) {
    const double weight = answer.weights(level);
    table.AddRow({std::to_string(level), FormatNumber(weight), std::to_string(answer.overlaps(level)),
                  FormatNumber(weight * answer.overlaps(level))});
  }
  return table.Render(colour);
}

}  // namespace

absl::Status CheckExplanation(const v1::ExplainResponse& answer) {
  const bool fits = answer.vertices_a() == static_cast<uint32_t>(answer.graph_a().vertices_size()) &&
                    answer.vertices_b() == static_cast<uint32_t>(answer.graph_b().vertices_size()) &&
                    HasLabels(answer.graph_a()) && HasLabels(answer.graph_b()) &&
                    answer.overlaps_size() > 0 && answer.overlaps_size() == answer.weights_size() &&
                    std::ranges::all_of(answer.pairs(), [&answer](const v1::ExplainResponse::Pair& pair) {
                      return pair.a() < answer.vertices_a() && pair.b() < answer.vertices_b() &&
                             pair.levels() <= static_cast<uint32_t>(answer.overlaps_size());
                    });
  return fits ? absl::OkStatus() : InvalidArgument("the daemon's answer contradicts itself");
}

std::string ExplainJsonLine(const std::string& a, const std::string& b, const v1::ExplainResponse& answer) {
  Json weights = Json::array();
  for (const double weight : answer.weights()) {
    weights.push_back(JsonNumber(weight));
  }
  Json pairs = Json::array();
  for (const v1::ExplainResponse::Pair& pair : answer.pairs()) {
    pairs.push_back({{"a", pair.a()},
                     {"b", pair.b()},
                     {"label_a", LabelOf(answer.graph_a(), pair.a())},
                     {"label_b", LabelOf(answer.graph_b(), pair.b())},
                     {"depth", pair.levels() == 0 ? Json() : Json(pair.levels() - 1)}});
  }
  const Unassigned unassigned = FindUnassigned(answer);
  return JsonLine({{"a", a},
                   {"b", b},
                   {"sequence", answer.sequence()},
                   {"depth", answer.overlaps_size() - 1},
                   {"vertices_a", answer.vertices_a()},
                   {"vertices_b", answer.vertices_b()},
                   {"kernel", JsonNumber(answer.kernel())},
                   {"tanimoto", JsonNumber(answer.tanimoto())},
                   {"cosine", JsonNumber(answer.cosine())},
                   {"weights", weights},
                   {"overlaps", std::vector<uint32_t>(answer.overlaps().begin(), answer.overlaps().end())},
                   {"pairs", pairs},
                   {"unassigned_a", unassigned.a},
                   {"unassigned_b", unassigned.b}});
}

std::string ExplainText(const std::string& a, const std::string& b, const v1::ExplainResponse& answer,
                        bool colour) {
  std::string text = fmt::format("A {} ({} vertices)  B {} ({} vertices)  depth {}  sequence {}\n",
                                 Printable(a), answer.vertices_a(), Printable(b), answer.vertices_b(),
                                 answer.overlaps_size() - 1, answer.sequence());
  text += VerticesTable(answer, colour) + "\n" + LevelsTable(answer, colour) + "\n";
  Table scores({{""}, {"", Align::kRight}});
  scores.AddRow({"kernel", FormatNumber(answer.kernel())});
  scores.AddRow({"tanimoto", fmt::format("{:.4f}", answer.tanimoto())});
  scores.AddRow({"cosine", fmt::format("{:.4f}", answer.cosine())});
  return text + scores.Render(colour);
}

}  // namespace kindred::cli
