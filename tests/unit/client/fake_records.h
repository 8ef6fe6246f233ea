// What the fake daemon has stored, for the tests of commands.

#pragma once

#include <string>

#include "grpcpp/grpcpp.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

inline v1::Record Ethanol(const std::string& id) {
  v1::Record record;
  record.set_id(id);
  record.set_payload("CCO");
  v1::Graph& graph = *record.mutable_graph();
  graph.add_labels("C");
  graph.add_labels("O");
  for (const uint32_t label : {0, 0, 1}) {
    graph.add_vertices(label);
  }
  for (const uint32_t vertex : {0, 1, 1, 2}) {
    graph.add_edges(vertex);
  }
  v1::Tag& tag = *record.add_tags();
  tag.set_key("class");
  tag.set_value("1");
  return record;
}

// Knows "a" and "b".
inline grpc::Status GetKnown(const v1::GetRequest& request, v1::GetResponse& response) {
  for (const std::string& id : request.ids()) {
    v1::GetResponse::Entry& entry = *response.add_entries();
    entry.set_id(id);
    if (id == "a" || id == "b") {
      *entry.mutable_record() = Ethanol(id);
    }
  }
  return grpc::Status::OK;
}

}  // namespace kindred::cli
