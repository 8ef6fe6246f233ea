#include "bench/experiment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "bench/folds.h"
#include "bench/svm.h"
#include "fmt/format.h"

namespace kindred::bench {
namespace {

// A kernel matrix the experiment may choose.
struct Config {
  size_t depth = 0;
  bool normalize = false;
};

// One test fold of one repetition.
struct Task {
  int repetition = 0;
  Split split;
  std::vector<Split> inner;
  std::vector<std::vector<uint32_t>> right;  // By config and cost: validated graphs that were right.
  size_t config = 0;                         // Chosen.
  size_t cost = 0;
  uint32_t test_right = 0;
};

std::vector<Task> MakeTasks(const LabelledGraphs& set, const ExperimentOptions& options, size_t configs) {
  std::mt19937_64 random(options.seed);
  std::vector<uint32_t> all(set.graphs.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<Task> tasks;
  for (int repetition = 0; repetition < options.repetitions; ++repetition) {
    for (Split& split : StratifiedFolds(all, set.classes, options.folds, random)) {
      Task& task = tasks.emplace_back();
      task.repetition = repetition;
      task.inner = StratifiedFolds(split.train, set.classes, options.inner_folds, random);
      task.inner.resize(static_cast<size_t>(std::min(options.inner_rounds, options.inner_folds)));
      task.split = std::move(split);
      task.right.assign(configs, std::vector<uint32_t>(options.costs.size(), 0));
    }
  }
  return tasks;
}

// The first of the best: the smallest depth, then not normalized, then the lowest cost.
void Choose(Task& task) {
  uint32_t best = 0;
  for (size_t config = 0; config < task.right.size(); ++config) {
    for (size_t cost = 0; cost < task.right[config].size(); ++cost) {
      if (task.right[config][cost] > best) {
        best = task.right[config][cost];
        task.config = config;
        task.cost = cost;
      }
    }
  }
}

std::string MostChosen(const std::vector<Task>& tasks, const std::vector<Config>& configs,
                       const ExperimentOptions& options) {
  std::map<std::pair<size_t, size_t>, size_t> times;
  for (const Task& task : tasks) {
    ++times[{task.config, task.cost}];
  }
  const auto most = std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
  const Config& config = configs[most->first.first];
  return fmt::format("h={} C={:g}{} ({} of {})", config.depth, options.costs[most->first.second],
                     config.normalize ? " normalized" : "", most->second, tasks.size());
}

}  // namespace

Accuracy MeasureAccuracy(const std::vector<Matrix>& matrices, const LabelledGraphs& set,
                         const ExperimentOptions& options, const ParallelFor& parallel_for,
                         const std::function<void(const std::string&)>& report) {
  std::vector<Config> configs;
  for (size_t depth = matrices.size() > 1 ? options.depth_min : 0; depth < matrices.size(); ++depth) {
    configs.push_back({depth, false});
    configs.push_back({depth, true});
  }
  std::vector<Task> tasks = MakeTasks(set, options, configs.size());
  // Matrix by matrix, since LIBSVM's form of one is four times as large.
  for (size_t c = 0; c < configs.size(); ++c) {
    report(fmt::format("choosing: matrix {} of {}", c + 1, configs.size()));
    const SvmRows rows(matrices[configs[c].depth], configs[c].normalize);
    parallel_for(tasks.size(), [&](size_t t) {
      for (const Split& inner : tasks[t].inner) {
        const auto right = rows.CountRight(inner.train, inner.test, set.classes, options.costs);
        std::ranges::transform(right, tasks[t].right[c], tasks[t].right[c].begin(), std::plus<>());
      }
    });
  }
  std::ranges::for_each(tasks, Choose);
  for (size_t c = 0; c < configs.size(); ++c) {
    report(fmt::format("testing: matrix {} of {}", c + 1, configs.size()));
    const SvmRows rows(matrices[configs[c].depth], configs[c].normalize);
    parallel_for(tasks.size(), [&](size_t t) {
      Task& task = tasks[t];
      if (task.config == c) {
        const std::vector<double> cost{options.costs[task.cost]};
        task.test_right = rows.CountRight(task.split.train, task.split.test, set.classes, cost).front();
      }
    });
  }
  std::vector<double> accuracies(static_cast<size_t>(options.repetitions), 0);
  for (const Task& task : tasks) {
    accuracies[static_cast<size_t>(task.repetition)] +=
        100.0 * task.test_right / static_cast<double>(set.graphs.size());
  }
  const auto count = static_cast<double>(accuracies.size());
  Accuracy accuracy{std::accumulate(accuracies.begin(), accuracies.end(), 0.0) / count, 0,
                    MostChosen(tasks, configs, options)};
  for (const double each : accuracies) {
    accuracy.deviation += (each - accuracy.mean) * (each - accuracy.mean);
  }
  accuracy.deviation = count > 1 ? std::sqrt(accuracy.deviation / (count - 1)) : 0;
  return accuracy;
}

}  // namespace kindred::bench
