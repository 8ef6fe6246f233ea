#include "bench/choosing.h"

#include <algorithm>

#include "bench/race.h"
#include "bench/tournament.h"
#include "index/base/check.h"

namespace kindred::bench {
namespace {

// One training: a matrix, and the two folds it is done without.
struct Heat {
  FoldPair pair;
  size_t matrix = 0;
  std::vector<size_t> costs;
  std::vector<Verdict> verdicts;
};

std::vector<uint32_t> AllBut(std::span<const std::vector<uint32_t>> folds, const FoldPair& pair) {
  std::vector<uint32_t> rest;
  for (size_t fold = 0; fold < folds.size(); ++fold) {
    if (fold != pair.first && fold != pair.second) {
      rest.insert(rest.end(), folds[fold].begin(), folds[fold].end());
    }
  }
  // As if they had never been divided: in which order classes are met does not depend on who is left out.
  std::ranges::sort(rest);
  return rest;
}

std::vector<Heat> MakeHeats(std::span<const FoldPair> pairs, const ChoosingOptions& options,
                            std::span<const Race> races) {
  std::vector<Heat> heats;
  for (const FoldPair& pair : pairs) {
    for (size_t matrix = 0; matrix < options.matrices; ++matrix) {
      Heat heat{pair, matrix, {}, {}};
      for (size_t cost = 0; cost < options.costs; ++cost) {
        const size_t setting = matrix * options.costs + cost;
        if (races[pair.first].is_in(setting) || races[pair.second].is_in(setting)) {
          heat.costs.push_back(cost);
        }
      }
      if (!heat.costs.empty()) {
        heats.push_back(std::move(heat));
      }
    }
  }
  return heats;
}

// Tells the race for the test fold `side` of the pair how its settings did on the other fold.
void Tell(const Heat& heat, size_t side, const ChoosingOptions& options, Race& race) {
  const Verdict* lower = nullptr;
  for (size_t i = 0; i < heat.costs.size(); ++i) {
    const size_t setting = heat.matrix * options.costs + heat.costs[i];
    const Verdict& verdict = heat.verdicts[i];
    if (!race.is_in(setting)) {
      continue;
    }
    const bool same = lower != nullptr && lower->solution == verdict.solution;
    if (!verdict.solved || (options.race && same)) {
      race.Drop(setting);
      continue;
    }
    race.Add(setting, verdict.right[1 - side]);
    lower = &verdict;
  }
}

}  // namespace

Choices Choose(std::span<const std::vector<uint32_t>> folds, const ChoosingOptions& options,
               const Judge& judge, const ParallelFor& parallel_for) {
  KINDRED_CHECK(folds.size() >= 3);
  std::vector<Race> races(folds.size(), Race(options.matrices * options.costs, options.race));
  Choices choices;
  std::vector<std::vector<FoldPair>> rounds = Rounds(folds.size());
  rounds.resize(std::min(rounds.size(), options.rounds));
  for (const std::vector<FoldPair>& pairs : rounds) {
    std::vector<Heat> heats = MakeHeats(pairs, options, races);
    parallel_for(heats.size(), [&](size_t i) {
      Heat& heat = heats[i];
      heat.verdicts = judge(heat.matrix, AllBut(folds, heat.pair), folds[heat.pair.first],
                            folds[heat.pair.second], heat.costs);
    });
    for (const Heat& heat : heats) {
      Tell(heat, 0, options, races[heat.pair.first]);
      Tell(heat, 1, options, races[heat.pair.second]);
      choices.trained += heat.costs.size();
      choices.given_up += static_cast<size_t>(
          std::ranges::count_if(heat.verdicts, [](const Verdict& verdict) { return !verdict.solved; }));
    }
    for (const FoldPair& pair : pairs) {
      races[pair.first].EndRound();
      races[pair.second].EndRound();
    }
  }
  for (const Race& race : races) {
    const size_t best = race.Best();
    choices.of_folds.push_back({best / options.costs, best % options.costs});
  }
  return choices;
}

}  // namespace kindred::bench
