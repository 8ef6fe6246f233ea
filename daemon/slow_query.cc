#include "daemon/slow_query.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

#include "daemon/call_metrics.h"
#include "daemon/edge/call_context.h"
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

int64_t Number(uint64_t value) { return static_cast<int64_t>(value); }

// What every line begins with.
std::vector<LogField> FieldsOf(const grpc::ServerContextBase& context, grpc::StatusCode code,
                               std::chrono::nanoseconds took) {
  std::string method;
  if (const auto* const ours = dynamic_cast<const CallContext*>(&context); ours != nullptr) {
    method = ours->method.substr(ours->method.starts_with('/') ? 1 : 0);
  }
  return {{"request", RequestIdOf(context)},
          {"method", std::move(method)},
          {"code", std::string(NameOf(code))},
          {"micros", std::chrono::duration_cast<std::chrono::microseconds>(took).count()}};
}

}  // namespace

std::string MeasureName(v1::Measure measure) {
  return ShortName(v1::Measure_Name(measure == v1::MEASURE_UNSPECIFIED ? v1::MEASURE_TANIMOTO : measure),
                   "MEASURE_");
}

std::string ModeName(v1::SearchMode mode) {
  return ShortName(v1::SearchMode_Name(mode == v1::SEARCH_MODE_UNSPECIFIED ? v1::SEARCH_MODE_PRUNED : mode),
                   "SEARCH_MODE_");
}

std::vector<LogField> SlowQueryFields(const QuestionSeen& question) {
  std::vector<LogField> fields =
      FieldsOf(question.context, static_cast<grpc::StatusCode>(question.code), question.took);
  std::ranges::move(question.fields(), std::back_inserter(fields));
  return fields;
}

std::vector<LogField> SlowQueryFields(const SearchSeen& search) {
  const v1::SearchRequest& request = search.request;
  const grpc::StatusCode code = search.answer.ok()
                                    ? grpc::StatusCode::OK
                                    : static_cast<grpc::StatusCode>(search.answer.status().code());
  std::vector<LogField> fields = FieldsOf(search.context, code, search.took);
  const std::initializer_list<LogField> asked{
      {"k", int64_t{request.k() == 0 ? kNeighboursDefault : request.k()}},
      {"measure", MeasureName(request.measure())},
      {"mode", ModeName(request.mode())},
      {"depth", int64_t{request.has_depth() ? request.depth() : search.index_depth}},
      {"vertices", int64_t{request.graph().vertices_size()}},
      {"filter_bytes", Number(request.filter().size())},
      {"excluded", int64_t{request.exclude_ids_size()}},
      {"threads", int64_t{std::max(request.threads(), 1U)}},
  };
  fields.insert(fields.end(), asked);
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
