// Proto to domain and back. Everything a client can send is checked here or by what is called here; an
// error starts with the path of the field.

#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "index/engine/engine.h"
#include "index/engine/mutation.h"
#include "kindred/v1/kindred.pb.h"
#include "wire/graph.h"

namespace kindred::daemon {

using kindred::ToGraph;
// 1 to kExternalIdBytesMax bytes.
absl::Status CheckId(std::string_view id);
absl::StatusOr<WriteMode> ToWriteMode(v1::WriteMode mode);
absl::StatusOr<Measure> ToMeasure(v1::Measure measure);

// A mutation always comes back; a bad record is one that carries its error. `path` names the record.
Mutation ToPut(const v1::Record& message, WriteMode mode, const std::string& path, const Limits& limits);
Mutation ToDelete(const std::string& external_id, const std::string& path);

absl::StatusOr<SearchRequest> ToSearchRequest(const v1::SearchRequest& message, const Limits& limits);
absl::StatusOr<KernelRequest> ToKernelRequest(const v1::KernelRequest& message);

v1::Graph ToProto(const Graph& graph);
// `molecule_scheme`: of the index.
v1::Record ToProto(const StoredRecord& record, const std::string& molecule_scheme);
v1::Outcome ToProto(const Outcome& outcome);
v1::StatsResponse ToProto(const EngineStats& stats);
v1::SearchResponse ToProto(const SearchReply& reply, std::chrono::steady_clock::duration took);

// RESOURCE_EXHAUSTED or INVALID_ARGUMENT unless 1 <= size <= batch_items_max.
absl::Status CheckBatch(std::string_view field, int size, const Limits& limits);

}  // namespace kindred::daemon
