#include "daemon/slow_query.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "daemon/call_metrics.h"
#include "daemon/edge/request_context.h"
#include "index/base/limits.h"

namespace kindred::daemon {
namespace {

// "MEASURE_COSINE" is "cosine".
std::string ShortName(const std::string& name, std::string_view prefix) {
  std::string shorter = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  std::ranges::transform(shorter, shorter.begin(), [](unsigned char c) { return std::tolower(c); });
  return shorter;
}

std::string MeasureName(v1::Measure measure) {
  return ShortName(v1::Measure_Name(measure == v1::MEASURE_UNSPECIFIED ? v1::MEASURE_TANIMOTO : measure),
                   "MEASURE_");
}

std::string ModeName(v1::SearchMode mode) {
  return ShortName(v1::SearchMode_Name(mode == v1::SEARCH_MODE_UNSPECIFIED ? v1::SEARCH_MODE_PRUNED : mode),
                   "SEARCH_MODE_");
}

int64_t Number(uint64_t value) { return static_cast<int64_t>(value); }

}  // namespace

std::vector<LogField> SlowQueryFields(const SearchSeen& search) {
  const v1::SearchRequest& request = search.request;
  const grpc::StatusCode code = search.answer.ok()
                                    ? grpc::StatusCode::OK
                                    : static_cast<grpc::StatusCode>(search.answer.status().code());
  std::vector<LogField> fields{
      {"request", RequestIdOf(search.context)},
      {"code", std::string(NameOf(code))},
      {"micros", std::chrono::duration_cast<std::chrono::microseconds>(search.took).count()},
      {"k", int64_t{request.k() == 0 ? kNeighboursDefault : request.k()}},
      {"measure", MeasureName(request.measure())},
      {"mode", ModeName(request.mode())},
      {"depth", int64_t{request.has_depth() ? request.depth() : search.index_depth}},
      {"vertices", int64_t{request.graph().vertices_size()}},
      {"filter_bytes", Number(request.filter().size())},
      {"excluded", int64_t{request.exclude_ids_size()}},
      {"threads", int64_t{std::max(request.threads(), 1U)}},
  };
  if (search.answer.ok()) {
    const v1::SearchStats& stats = search.answer->stats();
    fields.push_back({"hits", int64_t{search.answer->hits_size()}});
    fields.push_back({"postings", Number(stats.postings_read())});
    fields.push_back({"candidates", Number(stats.candidates())});
    fields.push_back({"blocks_bounded", Number(stats.blocks_bounded())});
    fields.push_back({"blocks_scored", Number(stats.blocks_scored())});
    fields.push_back({"sequence", Number(search.answer->sequence())});
  }
  return fields;
}

}  // namespace kindred::daemon
