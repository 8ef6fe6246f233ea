#include "index/engine/prepared.h"

#include <algorithm>
#include <string>
#include <utility>

#include "index/histogram/histogram.h"
#include "index/store/codec.h"

namespace kindred {
namespace {

bool Complete(const VertexColours& colours) {
  // What is unknown at one level is unknown at all deeper ones.
  return std::ranges::find(colours.at_level(colours.depth()), kUnknownColour) ==
         colours.at_level(colours.depth()).end();
}

// What serves graph after graph.
struct Scratch {
  Refiner refiner;
  std::string encoded;  // Copied from here, values take the memory they need and no more.
};

PreparedGraph PrepareGraph(StoredRecord record, const ColourHierarchy::View& known, Level depth,
                           Scratch& scratch) {
  EncodeRecord(record, scratch.encoded);
  PreparedGraph prepared{scratch.encoded, std::move(record.tags), {}};
  VertexColours colours = scratch.refiner.RefineKnown(known, record.graph, depth);
  if (Complete(colours)) {
    EncodeHistogram(record.external_id, Histogram::Of(colours), scratch.encoded);
    prepared.histogram = scratch.encoded;
  } else {
    prepared.histogram = PreparedGraph::Unfinished{std::move(record.graph), std::move(colours)};
  }
  return prepared;
}

}  // namespace

PreparedRequest Prepare(WriteRequest& request, const ColourHierarchy& hierarchy, Level depth) {
  if (request.read) {
    request.read(request);
    request.read = nullptr;  // And with it what was read.
  }
  const ColourHierarchy::View known = hierarchy.view();
  Scratch scratch;
  PreparedRequest prepared{{}, std::move(request.origin)};
  prepared.mutations.reserve(request.mutations.size());
  for (Mutation& mutation : request.mutations) {
    PreparedMutation& next = prepared.mutations.emplace_back();
    next.external_id = std::move(mutation.external_id);
    next.status = mutation.record.status();
    next.mode = mutation.mode;
    next.molecule_scheme = std::move(mutation.molecule_scheme);
    if (mutation.record.ok() && mutation.record->has_value()) {
      next.graph = PrepareGraph(**std::move(mutation.record), known, depth, scratch);
    }
  }
  request.mutations = {};
  return prepared;
}

}  // namespace kindred
