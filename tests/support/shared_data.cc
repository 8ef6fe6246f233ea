#include "tests/support/shared_data.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <utility>

#include "index/base/check.h"
#include "tests/support/paths.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;

// What a command prints. gzip and tar are on every machine that builds this, and cost no dependency.
std::string Output(const std::string& command) {
  FILE* const pipe = ::popen(command.c_str(), "r");
  KINDRED_CHECK(pipe != nullptr);
  std::string output;
  std::array<char, 1 << 16> buffer;
  while (const size_t bytes = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), bytes);
  }
  KINDRED_CHECK(::pclose(pipe) == 0);
  return output;
}

std::string Quoted(const fs::path& path) { return "'" + path.string() + "'"; }

// Whether a TU archive has the file: sets without vertex labels leave it out.
bool HasTuPart(const std::string& name, const std::string& part) {
  const fs::path archive = *SharedData() / "tu" / (name + ".tar.gz");
  return Output("tar -tzf " + Quoted(archive)).find("/" + name + "_" + part + "\n") != std::string::npos;
}

// One file of a TU archive, line by line.
std::vector<std::string> TuLines(const std::string& name, const std::string& part) {
  const fs::path archive = *SharedData() / "tu" / (name + ".tar.gz");
  std::istringstream text(Output("tar -xzOf " + Quoted(archive) + " " + name + "/" + name + "_" + part));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
      line.pop_back();
    }
    if (!line.empty()) {
      lines.push_back(line);
    }
  }
  return lines;
}

uint32_t LabelIndex(GraphParts& parts, const std::string& label) {
  for (uint32_t i = 0; i < parts.labels.size(); ++i) {
    if (parts.labels[i] == label) {
      return i;
    }
  }
  parts.labels.push_back(label);
  return static_cast<uint32_t>(parts.labels.size() - 1);
}

}  // namespace

std::optional<fs::path> SharedData() {
  const char* const set = std::getenv("KINDRED_SHARED_DIR");
  const fs::path data = (set != nullptr ? fs::path(set) : SourceDir() / "../shared") / "data";
  std::error_code ignored;
  return fs::is_directory(data / "reference", ignored) ? std::optional(data) : std::nullopt;
}

TuDataset LoadTu(const std::string& name, bool edge_labels) {
  // Vertices are numbered through all graphs, from 1; a graph's come one after the other.
  std::vector<GraphParts> graphs;
  std::vector<std::pair<size_t, uint32_t>> place;  // Of each vertex: its graph, its number there.
  const std::vector<std::string> indicator = TuLines(name, "graph_indicator.txt");
  const std::vector<std::string> vertex_labels = HasTuPart(name, "node_labels.txt")
                                                     ? TuLines(name, "node_labels.txt")
                                                     : std::vector<std::string>(indicator.size(), "");
  for (size_t v = 0; v < indicator.size(); ++v) {
    const size_t graph = std::stoul(indicator[v]) - 1;
    graphs.resize(std::max(graphs.size(), graph + 1));
    GraphParts& parts = graphs[graph];
    place.emplace_back(graph, static_cast<uint32_t>(parts.vertices.size()));
    parts.vertices.push_back(LabelIndex(parts, vertex_labels[v]));
  }

  const std::vector<std::string> edges = TuLines(name, "A.txt");
  const auto labels = edge_labels ? TuLines(name, "edge_labels.txt") : std::vector<std::string>();
  std::set<std::pair<size_t, size_t>> seen;  // Most edges stand twice, once in each direction.
  for (size_t e = 0; e < edges.size(); ++e) {
    const size_t a = std::stoul(edges[e]) - 1;
    const size_t b = std::stoul(edges[e].substr(edges[e].find(',') + 1)) - 1;
    KINDRED_CHECK(place[a].first == place[b].first);
    if (seen.insert(std::minmax(a, b)).second) {
      GraphParts& parts = graphs[place[a].first];
      const uint32_t label = edge_labels ? LabelIndex(parts, labels[e]) : GraphParts::kNoLabel;
      parts.edges.push_back({place[a].second, place[b].second, label});
    }
  }

  TuDataset dataset;
  dataset.classes = TuLines(name, "graph_labels.txt");
  for (GraphParts& parts : graphs) {
    dataset.graphs.push_back(Must(Graph::Create(std::move(parts), Limits())));
  }
  KINDRED_CHECK(dataset.graphs.size() == dataset.classes.size());
  return dataset;
}

GramMatrix LoadGram(const std::string& dataset, const std::string& kernel) {
  const fs::path file = *SharedData() / "reference" / (dataset + "__" + kernel + ".gram.gz");
  const std::string text = Output("gzip -dc " + Quoted(file));
  GramMatrix gram;
  const char* at = text.c_str();
  while (*at != '\0') {
    const char* const line = at;
    while (*at != ' ') {
      ++at;
    }
    gram.classes.emplace_back(line, at);
    std::vector<double>& row = gram.rows.emplace_back();
    for (size_t column = 0; *at == ' '; ++column) {
      char* end = nullptr;
      KINDRED_CHECK(std::strtoull(at, &end, 10) == column && *end == ':');
      const double value = std::strtod(end + 1, &end);
      at = end;
      if (column == 0) {
        KINDRED_CHECK(value == static_cast<double>(gram.rows.size()));
      } else {
        row.push_back(value);
      }
    }
    while (*at == '\n' || *at == '\r') {
      ++at;
    }
  }
  return gram;
}

}  // namespace kindred::test
