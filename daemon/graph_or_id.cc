#include "daemon/graph_or_id.h"

#include <utility>

#include "daemon/convert.h"
#include "index/base/status.h"

namespace kindred::daemon {

absl::StatusOr<std::variant<std::string, Graph>> ToGraphOrId(std::string_view path,
                                                             const v1::GraphOrId& message,
                                                             const Limits& limits) {
  using Asked = std::variant<std::string, Graph>;
  switch (message.kind_case()) {
    case v1::GraphOrId::kGraph: {
      auto graph = ToGraph(message.graph(), limits);
      if (!graph.ok()) {
        return Annotate(graph.status(), fmt::format("{}.graph.", path));
      }
      return Asked(*std::move(graph));
    }
    case v1::GraphOrId::kId:
      KINDRED_RETURN_IF_ERROR(Annotate(CheckId(message.id()), fmt::format("{}.", path)));
      return Asked(message.id());
    case v1::GraphOrId::KIND_NOT_SET:
      break;
  }
  return InvalidArgument("{}: give a graph or the id of a stored one", path);
}

}  // namespace kindred::daemon
