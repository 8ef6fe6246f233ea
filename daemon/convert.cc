#include "daemon/convert.h"

#include <algorithm>
#include <set>
#include <utility>

#include "daemon/hit_fields.h"
#include "index/base/molecule_scheme.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

absl::StatusOr<Tags> ToTags(const v1::Record& message, const Limits& limits) {
  if (static_cast<uint64_t>(message.tags_size()) > limits.tags_max) {
    return OverLimit("tags", static_cast<uint64_t>(message.tags_size()), "tags_max", limits.tags_max);
  }
  Tags tags;
  std::set<std::string_view> keys;
  for (int i = 0; i < message.tags_size(); ++i) {
    const v1::Tag& tag = message.tags(i);
    if (tag.key().empty()) {
      return InvalidArgument("tags[{}].key: is empty", i);
    }
    if (!keys.insert(tag.key()).second) {
      return InvalidArgument("tags[{}].key: '{}' stands twice", i, tag.key());
    }
    const uint64_t bytes = tag.key().size() + tag.value().size();
    if (bytes > limits.tag_bytes_max) {
      return OverLimit(fmt::format("tags[{}] bytes", i), bytes, "tag_bytes_max", limits.tag_bytes_max);
    }
    tags.emplace_back(tag.key(), tag.value());
  }
  return tags;
}

absl::StatusOr<StoredRecord> ToRecord(const v1::Record& message, const Limits& limits) {
  KINDRED_RETURN_IF_ERROR(CheckId(message.id()));
  if (message.payload().size() > limits.payload_bytes_max) {
    return OverLimit("payload bytes", message.payload().size(), "payload_bytes_max",
                     limits.payload_bytes_max);
  }
  KINDRED_ASSIGN_OR_RETURN(Tags tags, ToTags(message, limits));
  auto graph = ToGraph(message.graph(), limits);
  if (!graph.ok()) {
    return Annotate(graph.status(), "graph.");
  }
  if (!message.molecule_scheme().empty()) {
    KINDRED_RETURN_IF_ERROR(CheckMoleculeScheme(message.molecule_scheme()));
  }
  return StoredRecord{message.id(), *std::move(graph), message.payload(), std::move(tags),
                      !message.molecule_scheme().empty()};
}

absl::StatusOr<KernelKind> ToKernelKind(v1::KernelKind kind) {
  switch (kind) {
    case v1::KERNEL_KIND_UNSPECIFIED:
    case v1::KERNEL_KIND_WLOA:
      return KernelKind::kWlOa;
    case v1::KERNEL_KIND_VOA:
      return KernelKind::kVOa;
    case v1::KERNEL_KIND_EOA:
      return KernelKind::kEOa;
    case v1::KERNEL_KIND_WL:
      return KernelKind::kWl;
    case v1::KERNEL_KIND_V:
      return KernelKind::kV;
    case v1::KERNEL_KIND_E:
      return KernelKind::kE;
    case v1::KERNEL_KIND_GL:
      return KernelKind::kGl;
    case v1::KERNEL_KIND_SP:
      return KernelKind::kSp;
    default:
      return InvalidArgument("kernel: {} is unknown", static_cast<int>(kind));
  }
}

}  // namespace

absl::Status CheckId(std::string_view id) {
  if (id.empty()) {
    return InvalidArgument("id: is empty");
  }
  if (id.size() > kExternalIdBytesMax) {
    return InvalidArgument("id: has {} bytes; at most {} are allowed", id.size(), kExternalIdBytesMax);
  }
  return absl::OkStatus();
}

absl::StatusOr<Measure> ToMeasure(v1::Measure measure) {
  switch (measure) {
    case v1::MEASURE_UNSPECIFIED:
    case v1::MEASURE_TANIMOTO:
      return Measure::kTanimoto;
    case v1::MEASURE_KERNEL:
      return Measure::kKernel;
    case v1::MEASURE_COSINE:
      return Measure::kCosine;
    default:
      return InvalidArgument("measure: {} is unknown", static_cast<int>(measure));
  }
}

absl::StatusOr<SearchMode> ToSearchMode(v1::SearchMode mode) {
  switch (mode) {
    case v1::SEARCH_MODE_UNSPECIFIED:
    case v1::SEARCH_MODE_PRUNED:
      return SearchMode::kPruned;
    case v1::SEARCH_MODE_EXHAUSTIVE:
      return SearchMode::kExhaustive;
    default:
      return InvalidArgument("mode: {} is unknown", static_cast<int>(mode));
  }
}

absl::StatusOr<WriteMode> ToWriteMode(v1::WriteMode mode) {
  switch (mode) {
    case v1::WRITE_MODE_UNSPECIFIED:
    case v1::WRITE_MODE_UPSERT:
      return WriteMode::kUpsert;
    case v1::WRITE_MODE_INSERT:
      return WriteMode::kInsert;
    case v1::WRITE_MODE_REPLACE:
      return WriteMode::kReplace;
    default:
      return InvalidArgument("mode: {} is unknown", static_cast<int>(mode));
  }
}

Mutation ToPut(const v1::Record& message, WriteMode mode, const std::string& path, const Limits& limits) {
  Mutation mutation{message.id(), std::nullopt, mode, message.molecule_scheme()};
  if (auto record = ToRecord(message, limits); record.ok()) {
    mutation.record = std::optional(*std::move(record));
  } else {
    mutation.record = Annotate(record.status(), path + ".");
  }
  return mutation;
}

Mutation ToDelete(const std::string& external_id, const std::string& path) {
  Mutation mutation{external_id, std::nullopt, WriteMode::kUpsert};
  if (const absl::Status status = CheckId(external_id); !status.ok()) {
    mutation.record = Annotate(status, path + ".");
  }
  return mutation;
}

absl::StatusOr<SearchRequest> ToSearchRequest(const v1::SearchRequest& message, const Limits& limits) {
  SearchRequest request;
  switch (message.query_case()) {
    case v1::SearchRequest::kGraph: {
      auto graph = ToGraph(message.graph(), limits);
      if (!graph.ok()) {
        return Annotate(graph.status(), "graph.");
      }
      request.query = *std::move(graph);
      break;
    }
    case v1::SearchRequest::kId:
      KINDRED_RETURN_IF_ERROR(CheckId(message.id()));
      request.query = message.id();
      break;
    case v1::SearchRequest::QUERY_NOT_SET:
      return InvalidArgument("query: give a graph or the id of a stored one");
  }
  request.k = message.k() == 0 ? kNeighboursDefault : message.k();
  KINDRED_ASSIGN_OR_RETURN(request.measure, ToMeasure(message.measure()));
  KINDRED_ASSIGN_OR_RETURN(request.mode, ToSearchMode(message.mode()));
  if (message.has_min_similarity()) {
    request.min_similarity = message.min_similarity();
  }
  if (message.has_depth()) {
    request.depth = message.depth();
  }
  request.weights.assign(message.weights().begin(), message.weights().end());
  request.min_sequence = CommitSequence{message.min_sequence()};
  request.threads = std::max(message.threads(), 1u);
  if (!message.molecule_scheme().empty()) {
    KINDRED_RETURN_IF_ERROR(CheckMoleculeScheme(message.molecule_scheme()));
    request.molecule_scheme = message.molecule_scheme();
  }
  KINDRED_ASSIGN_OR_RETURN(request.filter, Filter::Parse(message.filter(), limits));
  KINDRED_ASSIGN_OR_RETURN(request.excluded, ToExcluded(message.exclude_ids(), limits));
  if (message.has_after()) {
    const v1::Hit& after = message.after();
    request.after = Hit{after.id(), after.kernel(), after.similarity(), after.vertices()};
  }
  request.fields = ToWantedFields(message.with_payload(), message.with_tags());
  return request;
}

absl::StatusOr<KernelRequest> ToKernelRequest(const v1::KernelRequest& message) {
  KernelRequest request;
  KINDRED_ASSIGN_OR_RETURN(request.kind, ToKernelKind(message.kernel()));
  request.normalize = message.normalize();
  request.ids.assign(message.ids().begin(), message.ids().end());
  request.row_tag = message.row_tag();
  if (message.has_depth()) {
    request.depth = message.depth();
  }
  return request;
}

v1::Graph ToProto(const Graph& graph) {
  v1::Graph out;
  for (const std::string& label : graph.labels()) {
    out.add_labels(label);
  }
  bool labelled = false;
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    out.add_vertices(graph.vertex_label(v));
    for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
      if (v < neighbour.vertex) {
        out.add_edges(v);
        out.add_edges(neighbour.vertex);
        const bool empty = graph.labels()[neighbour.edge_label].empty();
        out.add_edge_labels(empty ? 0 : neighbour.edge_label + 1);
        labelled = labelled || !empty;
      }
    }
  }
  if (!labelled) {
    out.clear_edge_labels();
  }
  return out;
}

v1::Record ToProto(const StoredRecord& record, const std::string& molecule_scheme) {
  v1::Record message;
  if (record.is_molecule) {
    message.set_molecule_scheme(molecule_scheme);
  }
  message.set_id(record.external_id);
  message.set_payload(record.payload);
  AddTags(record.tags, *message.mutable_tags());
  *message.mutable_graph() = ToProto(record.graph);
  return message;
}

v1::Outcome ToProto(const Outcome& outcome) {
  v1::Outcome message;
  switch (outcome.kind) {
    case Outcome::Kind::kInserted:
      message.set_kind(v1::Outcome::INSERTED);
      break;
    case Outcome::Kind::kReplaced:
      message.set_kind(v1::Outcome::REPLACED);
      break;
    case Outcome::Kind::kDeleted:
      message.set_kind(v1::Outcome::DELETED);
      break;
    case Outcome::Kind::kRejected:
      message.set_kind(v1::Outcome::REJECTED);
      message.set_code(static_cast<int>(outcome.status.code()));
      message.set_message(std::string(outcome.status.message()));
      break;
    case Outcome::Kind::kNotNovel:
      message.set_kind(v1::Outcome::NOT_NOVEL);
      break;
  }
  return message;
}

v1::StatsResponse ToProto(const EngineStats& stats) {
  v1::StatsResponse message;
  message.set_graphs(stats.graphs);
  message.set_depth(stats.depth);
  message.set_sequence(Raw(stats.sequence));
  message.set_labels(stats.labels);
  for (size_t level = 0; level < stats.colours.size(); ++level) {
    auto* const entry = message.add_levels();
    entry->set_level(static_cast<uint32_t>(level));
    entry->set_colours(stats.colours[level]);
  }
  message.set_postings(stats.postings);
  message.set_segments(stats.segments);
  message.set_memory_bytes(stats.memory_bytes);
  message.set_disk_bytes(stats.disk_bytes);
  message.set_vector_target(stats.vector_target);
  message.set_merges(stats.merges);
  message.set_merging(stats.merging);
  message.set_molecule_scheme(stats.molecule_scheme);
  message.set_watches(stats.watches);
  message.set_search_queue_tasks(stats.waiting_tasks);
  message.set_write_queue_bytes(stats.waiting_writes.bytes);
  return message;
}

v1::SearchResponse ToProto(const SearchReply& reply, std::chrono::steady_clock::duration took) {
  v1::SearchResponse message;
  for (size_t i = 0; i < reply.answer.hits.size(); ++i) {
    const Hit& hit = reply.answer.hits[i];
    v1::Hit& out = *message.add_hits();
    out.set_id(hit.id);
    out.set_kernel(hit.kernel);
    out.set_similarity(hit.similarity);
    out.set_vertices(hit.vertices);
    if (!reply.fields.empty()) {
      out.set_payload(reply.fields[i].payload);
      AddTags(reply.fields[i].tags, *out.mutable_tags());
    }
  }
  message.set_sequence(Raw(reply.sequence));
  *message.mutable_stats() = ToProto(reply.answer.stats, took);
  return message;
}

v1::SearchStats ToProto(const SearchStats& stats, std::chrono::steady_clock::duration took) {
  v1::SearchStats message;
  message.set_postings_read(stats.postings_read);
  message.set_candidates(stats.candidates);
  message.set_blocks_bounded(stats.blocks_bounded);
  message.set_blocks_scored(stats.blocks_scored);
  message.set_micros(
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
  return message;
}

absl::Status CheckBatch(std::string_view field, int size, const Limits& limits) {
  if (size == 0) {
    return InvalidArgument("{}: is empty", field);
  }
  if (static_cast<uint64_t>(size) > limits.batch_items_max) {
    return OverLimit(field, static_cast<uint64_t>(size), "batch_items_max", limits.batch_items_max);
  }
  return absl::OkStatus();
}

}  // namespace kindred::daemon
