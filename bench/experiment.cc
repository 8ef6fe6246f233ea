#include "bench/experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "bench/choosing.h"
#include "bench/dense_svm.h"
#include "bench/folds.h"
#include "bench/settings.h"
#include "bench/svm.h"

namespace kindred::bench {
namespace {

// Divisions of the set, one for each repetition.
std::vector<std::vector<Split>> Divide(const LabelledGraphs& set, const ExperimentOptions& options) {
  std::mt19937_64 random(options.seed);
  std::vector<uint32_t> all(set.graphs.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::vector<Split>> divisions;
  divisions.reserve(static_cast<size_t>(options.repetitions));
  for (int repetition = 0; repetition < options.repetitions; ++repetition) {
    divisions.push_back(StratifiedFolds(all, set.classes, options.folds, random));
  }
  return divisions;
}

Choices ChooseForAll(const std::vector<Matrix>& matrices, const std::vector<MatrixSetting>& settings,
                     const LabelledGraphs& set, const std::vector<Split>& division,
                     const ExperimentOptions& options, const ParallelFor& parallel_for) {
  std::vector<std::vector<uint32_t>> folds;
  folds.reserve(division.size());
  for (const Split& split : division) {
    folds.push_back(split.test);
  }
  const ChoosingOptions choosing{settings.size(), options.costs.size(), options.race,
                                 static_cast<size_t>(options.inner_rounds)};
  const Judge judge = [&](size_t matrix, std::span<const uint32_t> train, std::span<const uint32_t> first,
                          std::span<const uint32_t> second, std::span<const size_t> costs) {
    std::vector<double> values;
    for (const size_t cost : costs) {
      values.push_back(options.costs[cost]);
    }
    const MatrixSetting& setting = settings[matrix];
    return DenseSvm(matrices[setting.depth], setting.normalize, set.classes, options.steps_max)
        .Judge(train, first, second, values);
  };
  return Choose(folds, choosing, judge, parallel_for);
}

// The accuracy of LIBSVM with what was chosen, in percent of all graphs.
double Test(const std::vector<Matrix>& matrices, const std::vector<MatrixSetting>& settings,
            const LabelledGraphs& set, const std::vector<Split>& division, const std::vector<Choice>& choices,
            const ExperimentOptions& options, const ParallelFor& parallel_for) {
  std::vector<uint32_t> right(division.size(), 0);
  // Matrix by matrix, since LIBSVM's form of one is four times as large.
  for (size_t m = 0; m < settings.size(); ++m) {
    if (std::ranges::none_of(choices, [&](const Choice& choice) { return choice.matrix == m; })) {
      continue;
    }
    const SvmRows rows(matrices[settings[m].depth], settings[m].normalize);
    parallel_for(division.size(), [&](size_t fold) {
      if (choices[fold].matrix == m) {
        const Split& split = division[fold];
        right[fold] =
            rows.CountRight(split.train, split.test, set.classes, options.costs[choices[fold].cost]);
      }
    });
  }
  return 100.0 * std::accumulate(right.begin(), right.end(), 0.0) / static_cast<double>(set.graphs.size());
}

Accuracy Summarize(const std::vector<double>& accuracies) {
  const auto count = static_cast<double>(accuracies.size());
  Accuracy accuracy{std::accumulate(accuracies.begin(), accuracies.end(), 0.0) / count, 0, {}};
  for (const double each : accuracies) {
    accuracy.deviation += (each - accuracy.mean) * (each - accuracy.mean);
  }
  accuracy.deviation = count > 1 ? std::sqrt(accuracy.deviation / (count - 1)) : 0;
  return accuracy;
}

}  // namespace

Accuracy MeasureAccuracy(const std::vector<Matrix>& matrices, const LabelledGraphs& set,
                         const ExperimentOptions& options, const ParallelFor& parallel_for,
                         const std::function<void(const std::string&)>& report) {
  const std::vector<MatrixSetting> settings = MatrixSettings(matrices.size(), options.depth_min);
  std::map<std::pair<size_t, size_t>, size_t> times;
  std::vector<double> accuracies;
  for (const std::vector<Split>& division : Divide(set, options)) {
    const Choices choices = ChooseForAll(matrices, settings, set, division, options, parallel_for);
    report(fmt::format("repetition {}: chosen by {} trainings, {} of them given up", accuracies.size() + 1,
                       choices.trained, choices.given_up));
    for (const Choice& choice : choices.of_folds) {
      ++times[{choice.matrix, choice.cost}];
      report(Describe(settings[choice.matrix], options.costs[choice.cost]));
    }
    accuracies.push_back(Test(matrices, settings, set, division, choices.of_folds, options, parallel_for));
    const Accuracy so_far = Summarize(accuracies);
    report(fmt::format("repetition {}: {:.2f}; so far {:.2f} ± {:.2f}", accuracies.size(), accuracies.back(),
                       so_far.mean, so_far.deviation));
  }
  Accuracy accuracy = Summarize(accuracies);
  const auto most = std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
  accuracy.chosen =
      fmt::format("{} ({} of {})", Describe(settings[most->first.first], options.costs[most->first.second]),
                  most->second, options.repetitions * options.folds);
  return accuracy;
}

std::vector<std::vector<double>> MeasureEachSetting(const std::vector<Matrix>& matrices,
                                                    const LabelledGraphs& set,
                                                    const ExperimentOptions& options,
                                                    const ParallelFor& parallel_for,
                                                    const std::function<void(const std::string&)>& report) {
  std::vector<std::vector<double>> accuracies;
  const std::vector<std::vector<Split>> divisions = Divide(set, options);
  std::vector<const Split*> splits;
  for (const std::vector<Split>& division : divisions) {
    for (const Split& split : division) {
      splits.push_back(&split);
    }
  }
  for (const MatrixSetting& setting : MatrixSettings(matrices.size(), options.depth_min)) {
    const DenseSvm svm(matrices[setting.depth], setting.normalize, set.classes, options.steps_max);
    std::vector<std::vector<Verdict>> verdicts(splits.size());
    parallel_for(splits.size(), [&](size_t i) {
      verdicts[i] = svm.Judge(splits[i]->train, splits[i]->test, {}, options.costs);
    });
    std::vector<double>& row = accuracies.emplace_back(options.costs.size(), 0);
    for (const std::vector<Verdict>& of_split : verdicts) {
      for (size_t cost = 0; cost < row.size(); ++cost) {
        row[cost] += of_split[cost].solved ? 100.0 * of_split[cost].right[0] /
                                                 static_cast<double>(set.graphs.size() * divisions.size())
                                           : std::numeric_limits<double>::quiet_NaN();
      }
    }
    report(fmt::format("h={}{}: measured", setting.depth, setting.normalize ? " normalized" : ""));
  }
  return accuracies;
}

}  // namespace kindred::bench
