#include "index/engine/prepared.h"

#include <algorithm>
#include <memory>
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

// What records are compared with, if they have to be novel.
struct Comparison {
  const Speculator& speculator;
  const NoveltyRule& rule;
  std::shared_ptr<const Snapshot> snapshot;  // Null: it could not be taken.
};

void PrepareGraph(StoredRecord record, const ColourHierarchy::View& known, Level depth,
                  const Comparison* comparison, Scratch& scratch, PreparedMutation& prepared) {
  EncodeRecord(record, scratch.encoded);
  prepared.graph = PreparedGraph{scratch.encoded, std::move(record.tags), {}};
  VertexColours colours = scratch.refiner.RefineKnown(known, record.graph, depth);
  const bool complete = Complete(colours);
  if (complete) {
    EncodeHistogram(record.external_id, Histogram::Of(colours), scratch.encoded);
    prepared.graph->histogram = scratch.encoded;
  }
  if (comparison != nullptr) {
    prepared.speculation = std::make_unique<Speculation>(comparison->speculator.Speculate(
        comparison->snapshot.get(), comparison->rule, Histogram::Of(colours), record.graph));
  }
  if (!complete) {
    prepared.graph->histogram = PreparedGraph::Unfinished{std::move(record.graph), std::move(colours)};
  }
}

void PrepareMutation(Mutation& mutation, const ColourHierarchy::View& known, Level depth,
                     const Comparison* comparison, Scratch& scratch, PreparedMutation& prepared) {
  prepared.external_id = std::move(mutation.external_id);
  prepared.status = mutation.record.status();
  prepared.mode = mutation.mode;
  prepared.molecule_scheme = std::move(mutation.molecule_scheme);
  if (mutation.record.ok() && mutation.record->has_value()) {
    PrepareGraph(**std::move(mutation.record), known, depth, comparison, scratch, prepared);
  }
}

// So many records are compared on one thread at a time, with one snapshot: later ones with a newer one, so
// that less is left to be compared when their turn comes. Of a filtered snapshot, which takes its time, there
// is one a request.
constexpr size_t kRecordsASnapshot = 32;

void PrepareNovel(WriteRequest& request, const ColourHierarchy& hierarchy, Level depth,
                  const Speculator& speculator, std::vector<PreparedMutation>& prepared) {
  const size_t count = request.mutations.size();
  const size_t parts = (count + kRecordsASnapshot - 1) / kRecordsASnapshot;
  const NoveltyRule& rule = *request.novelty;
  const std::shared_ptr<const Snapshot> filtered =
      rule.filter.matches_all() ? nullptr : speculator.TakeSnapshot(rule);
  speculator.executor().ParallelFor(parts, [&](size_t part) {
    // The snapshot first: what its graphs wear is known then.
    const Comparison comparison{speculator, rule, filtered ? filtered : speculator.TakeSnapshot(rule)};
    const ColourHierarchy::View known = hierarchy.view();
    Scratch scratch;
    for (size_t i = part * kRecordsASnapshot; i < std::min(count, (part + 1) * kRecordsASnapshot); ++i) {
      PrepareMutation(request.mutations[i], known, depth, &comparison, scratch, prepared[i]);
    }
  });
}

}  // namespace

PreparedRequest Prepare(WriteRequest& request, const ColourHierarchy& hierarchy, Level depth,
                        const Speculator* speculator) {
  if (request.read) {
    request.read(request);
    request.read = nullptr;  // And with it what was read.
  }
  PreparedRequest prepared{{}, std::move(request.origin), request.novelty};
  prepared.mutations.resize(request.mutations.size());
  if (request.novelty != nullptr) {
    PrepareNovel(request, hierarchy, depth, *speculator, prepared.mutations);
  } else {
    const ColourHierarchy::View known = hierarchy.view();
    Scratch scratch;
    for (size_t i = 0; i < request.mutations.size(); ++i) {
      PrepareMutation(request.mutations[i], known, depth, nullptr, scratch, prepared.mutations[i]);
    }
  }
  request.mutations = {};
  return prepared;
}

}  // namespace kindred
