#include "client/cli/pairs_text.h"

#include <algorithm>
#include <utility>

#include "client/cli/json.h"
#include "client/cli/text.h"
#include "fmt/format.h"

namespace kindred::cli {
namespace {

constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kPlain = "\x1b[0m";

std::string Padded(std::string_view text, size_t& width) {
  std::string padded(text);
  const size_t shown = DisplayWidth(padded);
  width = std::max(width, shown);
  padded.append(width - shown, ' ');
  return padded;
}

std::string Title(const std::string& line, bool colour) {
  return colour ? fmt::format("{}{}{}\n", kBold, line, kPlain) : line + "\n";
}

double Seconds(const v1::PairsStats& stats) { return static_cast<double>(stats.micros()) / 1e6; }

// One value as JSON, without its line's end.
std::string JsonText(const Json& json) {
  std::string text = JsonLine(json);
  text.pop_back();
  return text;
}

}  // namespace

std::string PairsText::Row(std::string_view a, std::string_view b, std::string_view similarity,
                           std::string_view kernel) {
  std::string row = Padded(a, a_width_) + "  ";
  return row + Padded(b, b_width_) + fmt::format("  {:>10}  {:>8}", similarity, kernel);
}

std::string PairsText::Lines(const v1::PairsResponse& message) {
  std::string text;
  for (const v1::PairsResponse::Pair& pair : message.pairs()) {
    ++rows_;
    if (json_) {
      text += JsonLine({{"a", pair.a()},
                        {"b", pair.b()},
                        {"similarity", JsonNumber(pair.similarity())},
                        {"kernel", JsonNumber(pair.kernel())}});
      continue;
    }
    if (!std::exchange(titled_, true)) {
      // As wide as the first ones, so that most tables have straight columns.
      for (const v1::PairsResponse::Pair& early : message.pairs()) {
        a_width_ = std::max(a_width_, DisplayWidth(Printable(early.a())));
        b_width_ = std::max(b_width_, DisplayWidth(Printable(early.b())));
      }
      text += Title(Row("a", "b", "similarity", "kernel"), colour_);
    }
    text += Row(Printable(pair.a()), Printable(pair.b()), fmt::format("{:.4f}", pair.similarity()),
                FormatNumber(pair.kernel())) +
            "\n";
  }
  return text;
}

std::string PairsText::End(const v1::PairsResponse& message) {
  const v1::PairsStats& stats = message.stats();
  if (json_) {
    return JsonLine({{"pairs", stats.pairs()},
                     {"graphs", message.graphs_done()},
                     {"sequence", message.sequence()},
                     {"stats", {{"candidates", stats.candidates()}, {"micros", stats.micros()}}}});
  }
  return fmt::format("{} pairs of {} graphs at sequence {}, {:.2f} s\n", stats.pairs(), message.graphs_done(),
                     message.sequence(), Seconds(stats));
}

std::string ClustersText::Begin(const v1::ClustersResponse::Cluster& cluster) {
  ++clusters_;
  told_ = 0;
  if (json_) {
    return fmt::format("{{\"representative\":{},\"size\":{},\"members\":[",
                       JsonText(cluster.representative()), cluster.size());
  }
  std::string text;
  if (clusters_ == 1) {
    // The first one is the largest.
    size_width_ = std::max<size_t>(4, std::to_string(cluster.size()).size());
    text = Title(fmt::format("{:>{}}  {}  members", "size", size_width_,
                             Padded("representative", representative_width_)),
                 colour_);
  }
  return text +
         fmt::format("{:>{}}  {}", cluster.size(), size_width_,
                     Padded(Printable(cluster.representative()), representative_width_)) +
         " ";
}

std::string ClustersText::Lines(const v1::ClustersResponse& message) {
  std::string text;
  if (clusters_ == 0) {
    // As wide as the first ones, so that most tables have straight columns.
    for (const v1::ClustersResponse::Cluster& early : message.clusters()) {
      representative_width_ =
          std::max(representative_width_, DisplayWidth(Printable(early.representative())));
    }
  }
  for (const v1::ClustersResponse::Cluster& cluster : message.clusters()) {
    if (!cluster.continued()) {
      text += Begin(cluster);
    }
    for (const std::string& id : cluster.ids()) {
      if (json_) {
        text += (told_ > 0 ? "," : "") + JsonText(id);
      } else {
        text += " " + Printable(id);
      }
      ++told_;
    }
    if (told_ == cluster.size()) {
      text += json_ ? "]}\n" : "\n";
    }
  }
  return text;
}

std::string ClustersText::End(const v1::ClustersResponse& message) {
  const v1::PairsStats& stats = message.stats();
  if (json_) {
    return JsonLine({{"clusters", clusters_},
                     {"pairs", stats.pairs()},
                     {"graphs", message.graphs_done()},
                     {"sequence", message.sequence()},
                     {"stats", {{"candidates", stats.candidates()}, {"micros", stats.micros()}}}});
  }
  return fmt::format("{} clusters of {} graphs, {} pairs, at sequence {}, {:.2f} s\n", clusters_,
                     message.graphs_done(), stats.pairs(), message.sequence(), Seconds(stats));
}

}  // namespace kindred::cli
