#include "index/pairs/list_join.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <utility>

#include "index/base/check.h"

namespace kindred {
namespace {

// Pairs of entries that a task looks at.
constexpr uint64_t kTaskPairs = 1 << 20;
// Entries of a long list are left out so many at a time when their sizes tell.
constexpr uint32_t kTile = 64;
// After so many rows, or with so many candidates more, a task looks whether it is to go on.
constexpr uint32_t kRowsBetweenChecks = 256;
constexpr size_t kFoundBetweenChecks = 1 << 14;

}  // namespace

// The entries of one list, as SelectClose wants them.
struct ListJoin::Columns {
  struct Tile {
    uint16_t vertices_min = UINT16_MAX;
    uint16_t reach_max = 0;
  };

  std::vector<uint16_t> vertices;
  std::vector<uint16_t> reaches;
  std::vector<Sketch> sketches;
  std::vector<Tile> tiles;

  void Load(std::span<const PrefixEntry> entries, const Sketches& all) {
    const size_t padded = (entries.size() + kBlockGraphs - 1) / kBlockGraphs * kBlockGraphs;
    vertices.assign(padded, 0);
    reaches.assign(padded, 0);
    sketches.resize(padded);
    tiles.assign(entries.size() / kTile + 1, {});
    for (size_t i = 0; i < entries.size(); ++i) {
      vertices[i] = entries[i].vertices;
      reaches[i] = entries[i].reach;
      sketches[i] = all[entries[i].number];
      Tile& tile = tiles[i / kTile];
      tile.vertices_min = std::min(tile.vertices_min, entries[i].vertices);
      tile.reach_max = std::max(tile.reach_max, entries[i].reach);
    }
  }
};

ListJoin::ListJoin(const PairBounds& bounds, const Sketches& sketches) : sketches_(sketches) {
  for (uint32_t vertices = 0; vertices <= kBlockVerticesMax; ++vertices) {
    sums_.push_back(bounds.apart_sum(vertices));
    products_.push_back(bounds.apart_product(vertices));
  }
  limits_ = {SketchShape(bounds).weights(), sums_.data(), products_.data()};
}

void ListJoin::Start(PrefixBatch& batch) {
  KINDRED_CHECK(done());
  std::swap(batch_, batch);
  MakeTasks();
}

// From the back, so that the first lists come first: those of the rarest features.
void ListJoin::MakeTasks() {
  Task task;
  uint64_t pairs = 0;  // Of the task at hand.
  const auto close = [&](uint32_t list, uint32_t row_end) {
    task.list_last = list;
    task.row_end = row_end;
    tasks_.push_back(task);
    const bool whole = row_end == batch_.lists[list].size();
    task.list = whole ? list + 1 : list;
    task.row = whole ? 0 : row_end;
    pairs = 0;
  };
  for (uint32_t list = 0; list < batch_.lists.size(); ++list) {
    const uint32_t size = batch_.lists[list].size();
    compared_ += uint64_t{size} * (size - 1) / 2;
    for (uint32_t row = 1; row < size; ++row) {
      pairs += row;
      if (pairs >= kTaskPairs) {
        close(list, row + 1);
      }
    }
  }
  if (pairs > 0) {
    const auto last = static_cast<uint32_t>(batch_.lists.size() - 1);
    close(last, batch_.lists[last].size());
  }
  std::ranges::reverse(tasks_);
}

void ListJoin::Run(size_t candidates_max, const ParallelFor& parallel_for, const Interrupt& interrupt,
                   std::vector<PairCandidate>& candidates) {
  constexpr size_t kTasksAtOnce = 32;
  std::vector<Task> running;
  while (running.size() < kTasksAtOnce && !tasks_.empty()) {
    running.push_back(tasks_.back());
    tasks_.pop_back();
  }
  std::atomic<bool> stop{false};
  std::atomic<size_t> found_count{candidates.size()};
  std::vector<std::vector<PairCandidate>> found(running.size());
  std::vector<char> finished(running.size());
  parallel_for(running.size(), [&](size_t i) {
    Columns columns;
    while (!stop && finished[i] == 0) {
      const size_t before = found[i].size();
      finished[i] = RunTask(running[i], columns, found[i]) ? 1 : 0;
      found_count += found[i].size() - before;
      if (found_count >= candidates_max || !interrupt.Check().ok()) {
        stop = true;
      }
    }
  });
  for (size_t i = running.size(); i-- > 0;) {
    candidates.insert(candidates.end(), found[i].begin(), found[i].end());
    if (finished[i] == 0) {
      tasks_.push_back(running[i]);
    }
  }
}

bool ListJoin::RunTask(Task& task, Columns& columns, std::vector<PairCandidate>& found) const {
  std::array<uint32_t, kTile> places;  // NOLINT(cppcoreguidelines-pro-type-member-init): written first.
  const size_t found_max = found.size() + kFoundBetweenChecks;
  uint32_t rows = 0;
  for (; task.list <= task.list_last; ++task.list, task.row = 0) {
    const PrefixBatch::List& list = batch_.lists[task.list];
    const auto entries = std::span(batch_.entries).subspan(list.begin, list.size());
    const uint32_t row_end = task.list == task.list_last ? task.row_end : list.size();
    columns.Load(entries.first(row_end), sketches_);
    for (; task.row < row_end; ++task.row) {
      if (++rows > kRowsBetweenChecks || found.size() > found_max) {
        return false;
      }
      const CloseProbe probe{entries[task.row].vertices, entries[task.row].reach, columns.sketches[task.row]};
      for (uint32_t begin = 0; begin < task.row; begin += kTile) {
        const Columns::Tile& tile = columns.tiles[begin / kTile];
        if (tile.reach_max < probe.vertices || tile.vertices_min > probe.reach) {
          continue;
        }
        const CloseColumns tiled{columns.vertices.data() + begin, columns.reaches.data() + begin,
                                 columns.sketches.data() + begin};
        const size_t count = std::min(kTile, task.row - begin);
        const size_t close = SelectClose(probe, tiled, count, limits_, places.data());
        for (size_t i = 0; i < close; ++i) {
          found.push_back({entries[task.row].number, entries[begin + places[i]].number, list.rank});
        }
      }
    }
  }
  return true;
}

}  // namespace kindred
