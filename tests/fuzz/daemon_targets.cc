// What the daemon reads by itself: the graphs of a request that is bytes still, and the file of tokens.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "daemon/edge/token_table.h"
#include "daemon/graph_sizes.h"
#include "fmt/format.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "index/base/status.h"
#include "index/graph/graph.h"
#include "kindred/v1/kindred.pb.h"
#include "tests/fuzz/target.h"

namespace kindred::fuzz {
namespace {

using daemon::LargeGraphs;
using daemon::TokenTable;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

// Low, so that they are met.
Limits SizeLimits() {
  Limits limits;
  limits.labels_max = 2;
  limits.vertices_max = 3;
  limits.edges_max = 2;
  return limits;
}

const std::array<const Message*, 6>& Requests() {
  static const std::array<const Message*, 6> requests{
      &v1::PutRequest::default_instance(),          &v1::SearchRequest::default_instance(),
      &v1::IngestRequest::default_instance(),       &v1::ExplainRequest::default_instance(),
      &v1::PairsBetweenRequest::default_instance(), &v1::WatchRequest::default_instance()};
  return requests;
}

// What FindLargeGraphs is to find, by protobuf's own reading of the message.
class Expected {
 public:
  explicit Expected(const Message& request) : top_(*request.GetDescriptor()) { Visit(request, "", 0); }

  const LargeGraphs& found() const { return found_; }

 private:
  void Visit(const Message& message, const std::string& path, int item) {
    if (message.GetDescriptor() == v1::Graph::descriptor()) {
      const auto& graph = dynamic_cast<const v1::Graph&>(message);
      const absl::Status status = Graph::CheckSizes(
          static_cast<uint64_t>(graph.labels_size()), static_cast<uint64_t>(graph.vertices_size()),
          static_cast<uint64_t>(graph.edges_size()) / 2, SizeLimits());
      if (!status.ok()) {
        found_.refused.push_back({item, Annotate(status, path)});
      }
      return;
    }
    const google::protobuf::Reflection& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* const field : fields) {
      if (field->type() != FieldDescriptor::TYPE_MESSAGE) {
        continue;
      }
      if (!field->is_repeated()) {
        Visit(reflection.GetMessage(message, field), path + field->name() + ".", item);
        continue;
      }
      const bool top = message.GetDescriptor() == &top_;
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        found_.items += top ? 1 : 0;
        Visit(reflection.GetRepeatedMessage(message, field, i),
              path + field->name() + (top ? fmt::format("[{}].", i) : "."), top ? i : item);
      }
    }
  }

  const google::protobuf::Descriptor& top_;
  LargeGraphs found_;
};

// The first byte tells the request, the second into what pieces it came. What protobuf can read is never said
// to be no message; where it would write the same bytes again, the same graphs are over a limit.
void RunSizes(std::string_view bytes) {
  if (bytes.size() < 2) {
    return;
  }
  const Message& type = *Requests()[static_cast<uint8_t>(bytes[0]) % Requests().size()];
  const int block_bytes = 1 + static_cast<uint8_t>(bytes[1]);
  bytes.remove_prefix(2);
  const int size = static_cast<int>(bytes.size());
  google::protobuf::io::ArrayInputStream stream(bytes.data(), size, block_bytes);
  const auto found = daemon::FindLargeGraphs(stream, *type.GetDescriptor(), SizeLimits());
  if (!found.ok()) {
    RequireError(found.status(), {kInvalid});
  } else {
    for (const LargeGraphs::Refused& refused : found->refused) {
      RequireError(refused.status, {absl::StatusCode::kResourceExhausted});
    }
  }
  const std::unique_ptr<Message> request(type.New());
  if (!request->ParseFromArray(bytes.data(), size)) {
    return;
  }
  Require(found.ok(), "what protobuf reads is said to be no message: " + found.status().ToString());
  if (request->SerializeAsString() != bytes) {
    return;
  }
  const Expected expected(*request);
  Require(found->items == expected.found().items, "another number of items");
  Require(std::ranges::equal(found->refused, expected.found().refused,
                             [](const LargeGraphs::Refused& a, const LargeGraphs::Refused& b) {
                               return a.index == b.index && a.status == b.status;
                             }),
          "other graphs are over a limit than those of the message");
}

v1::Graph GraphOf(int labels, int vertices, int edges) {
  v1::Graph graph;
  for (int i = 0; i < labels; ++i) {
    graph.add_labels(std::string(static_cast<size_t>(i), 'C'));
  }
  for (int i = 0; i < vertices; ++i) {
    graph.add_vertices(static_cast<uint32_t>(i * 150));
  }
  for (int i = 0; i < 2 * edges; ++i) {
    graph.add_edges(static_cast<uint32_t>(i));
  }
  return graph;
}

// Of the request at that place of Requests(), in blocks of so many bytes and one.
std::string SizesSeed(int place, int block_bytes, const Message& request) {
  std::string seed{static_cast<char>(place), static_cast<char>(block_bytes)};
  return seed + request.SerializeAsString();
}

std::vector<std::string> SizesSeeds() {
  v1::PutRequest put;
  for (const int vertices : {3, 4, 1}) {
    v1::Record& record = *put.add_records();
    record.set_id("x");
    *record.mutable_graph() = GraphOf(1, vertices, 2);
  }
  v1::SearchRequest search;
  *search.mutable_graph() = GraphOf(3, 1, 0);
  search.add_exclude_ids("y");
  v1::IngestRequest ingest;
  *ingest.mutable_frame()->add_items()->mutable_put()->mutable_graph() = GraphOf(2, 3, 3);
  v1::ExplainRequest explain;
  *explain.mutable_a()->mutable_graph() = GraphOf(2, 3, 2);
  *explain.mutable_b()->mutable_graph() = GraphOf(2, 5, 2);
  v1::PairsBetweenRequest pairs;
  *pairs.add_records()->mutable_graph() = GraphOf(3, 4, 5);
  return {SizesSeed(0, 255, put),   SizesSeed(1, 0, search),  SizesSeed(2, 6, ingest),
          SizesSeed(3, 2, explain), SizesSeed(4, 200, pairs), SizesSeed(5, 9, v1::WatchRequest()),
          SizesSeed(0, 3, search)};
}

void RunTokens(std::string_view bytes) {
  const auto table = TokenTable::Parse(bytes, "tokens");
  if (table.ok()) {
    Require(table->size() <= TokenTable::kTokensMax, "more tokens than there may be");
    Require(table->Find(bytes.substr(0, 64)) == nullptr, "a token that nobody has");
    return;
  }
  RequireError(table.status(), {kInvalid});
  // A word of the file may be a secret. No word of our own is as long.
  const std::string message(table.status().message());
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find_first_of(" \t\r\n", begin), bytes.size());
    Require(end - begin < 20 || message.find(bytes.substr(begin, end - begin)) == std::string::npos,
            "a message shows a word of the file");
    begin = end + 1;
  }
}

std::vector<std::string> TokensSeeds() {
  const std::string hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDEF";
  return {"loader read-write " + hash + "\n",
          "# people\n\n a.b@c\tadmin  " + hash + " # the first\r\nops read-only " +
              std::string(hash.rbegin(), hash.rend()),
          "loader read-write kindred_" + hash + "\n", "a admin " + hash + "\nb admin " + hash + "\n"};
}

}  // namespace

const std::vector<Target>& DaemonTargets() {
  static const std::vector<Target> targets{{"sizes", RunSizes, SizesSeeds},
                                           {"tokens", RunTokens, TokensSeeds}};
  return targets;
}

}  // namespace kindred::fuzz
