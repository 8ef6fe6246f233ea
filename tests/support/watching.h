// A watch of an engine, pulled to its end, and the matches it must give.

#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "index/base/status.h"
#include "index/engine/watch.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {

struct WatchQuery {
  std::string name;
  std::variant<std::string, Graph> graph;
  double least = 0;
};

// One match, to be compared.
struct Told {
  uint64_t sequence = 0;
  std::string id;
  std::string query;
  double kernel = 0;
  double similarity = 0;

  friend bool operator==(const Told&, const Told&) = default;
};

inline void PrintTo(const Told& told, std::ostream* out) {
  *out << told.sequence << ": " << told.id << " ~ " << told.query << " " << told.kernel << " "
       << told.similarity;
}

inline absl::StatusOr<std::unique_ptr<Watch>> StartWatch(const Engine& engine,
                                                         const std::vector<WatchQuery>& queries,
                                                         WatchRequest request = {}) {
  KINDRED_ASSIGN_OR_RETURN(std::unique_ptr<Watch> watch, Watch::Create(engine, std::move(request)));
  for (const WatchQuery& query : queries) {
    KINDRED_RETURN_IF_ERROR(watch->AddQuery(query.name, query.graph, query.least));
  }
  return watch;
}

inline void Append(const Watch& watch, const WatchPart& part, std::vector<Told>& told) {
  for (const WatchMatch& match : part.matches) {
    told.push_back({Raw(match.sequence), match.graph->id, watch.query_name(match.query), match.kernel,
                    match.similarity});
  }
}

// All there is now.
inline std::vector<Told> PullAll(Watch& watch) {
  std::vector<Told> told;
  do {
    Append(watch, Must(watch.Next(Interrupt())), told);
  } while (!watch.up_to_date());
  return told;
}

}  // namespace kindred::test
