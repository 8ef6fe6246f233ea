// What a fake daemon says to a watch.

#pragma once

#include <string>
#include <vector>

#include "kindred/v1/kindred.pb.h"

namespace kindred::client {

struct FakeMatch {
  uint64_t sequence = 0;
  std::string id;
  std::string query;
};

inline v1::WatchResponse WatchMessage(uint64_t sequence, const std::vector<FakeMatch>& matches = {},
                                      uint64_t behind = 0) {
  v1::WatchResponse message;
  message.set_sequence(sequence);
  message.set_behind(behind);
  for (const FakeMatch& match : matches) {
    v1::WatchResponse::Match& added = *message.add_matches();
    added.set_sequence(match.sequence);
    added.set_id(match.id);
    added.set_query(match.query);
    added.set_kernel(12);
    added.set_similarity(0.75);
  }
  return message;
}

// Queries of these names, of a graph each.
inline v1::WatchRequest WatchFor(const std::vector<std::string>& names) {
  v1::WatchRequest request;
  for (const std::string& name : names) {
    v1::WatchRequest::Query& query = *request.add_queries();
    query.set_name(name);
    query.set_min_similarity(0.5);
    query.mutable_graph()->mutable_graph()->add_labels("C");
    query.mutable_graph()->mutable_graph()->add_vertices(0);
  }
  return request;
}

}  // namespace kindred::client
