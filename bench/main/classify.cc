// The experiment of the paper on sets of graphs with classes: how well a C-SVM tells the classes apart, by
// kernel. Prints the table beside the paper's figures. bench/README.md explains.
//
//   bench_classify MUTAG.tar.gz PTC_MR/ [--kernels wloa,voa] [--repetitions 10] [--race]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "bench/clock.h"
#include "bench/experiment.h"
#include "bench/kernel_matrices.h"
#include "bench/labelled_graphs.h"
#include "bench/paper.h"
#include "bench/settings.h"
#include "fmt/format.h"
#include "index/base/status.h"

namespace kindred::bench {
namespace {

struct Options {
  std::vector<std::string> sets;
  std::vector<std::string> kernels{"voa", "wloa"};
  uint32_t depth_max = 7;
  bool edge_labels = false;
  bool quiet = false;
  bool each_setting = false;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  ExperimentOptions experiment{.costs = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3}};
};

std::string PaperColumns(const std::string& set, KernelKind kind, const Accuracy& accuracy) {
  const auto figure = FindPaperFigure(set, kind);
  if (!figure) {
    return fmt::format("{:>12} {:>7}", "-", "-");
  }
  return fmt::format("{:>6.1f} ±{:>4.1f} {:>+7.1f}", figure->mean, figure->deviation,
                     (accuracy.mean - figure->mean) / figure->deviation);
}

void PrintEachSetting(const Options& options, const std::vector<MatrixSetting>& settings,
                      const std::vector<std::vector<double>>& accuracies) {
  fmt::print("{:<16}", "C");
  for (const double cost : options.experiment.costs) {
    fmt::print(" {:>6g}", cost);
  }
  fmt::print("\n");
  for (size_t m = 0; m < settings.size(); ++m) {
    fmt::print("h={:<3}{:<11}", settings[m].depth, settings[m].normalize ? "normalized" : "");
    for (const double accuracy : accuracies[m]) {
      fmt::print(" {:>6}", std::isnan(accuracy) ? "-" : fmt::format("{:.2f}", accuracy));
    }
    fmt::print("\n");
  }
}

absl::Status RunKernel(const Options& options, const LabelledGraphs& set, const KernelTraits& traits) {
  const auto start = Clock::now();
  const ParallelFor parallel_for = ForEachOnThreads(options.threads);
  KINDRED_ASSIGN_OR_RETURN(
      const std::vector<Matrix> matrices,
      KernelMatrices(traits.kind, static_cast<Level>(options.depth_max), set.graphs, parallel_for));
  const auto report = [&](const std::string& what) {
    if (!options.quiet) {
      fmt::print(stderr, "{} {}, {:.0f} s: {}\n", set.name, traits.name, Seconds(Clock::now() - start), what);
    }
  };
  if (options.each_setting) {
    fmt::print("{} {}, accuracy by setting; nothing is chosen\n", set.name, traits.name);
    PrintEachSetting(options, MatrixSettings(matrices.size(), options.experiment.depth_min),
                     MeasureEachSetting(matrices, set, options.experiment, parallel_for, report));
    return absl::OkStatus();
  }
  const Accuracy accuracy = MeasureAccuracy(matrices, set, options.experiment, parallel_for, report);
  fmt::print("{:<12} {:<6} {:>6.1f} ±{:>4.1f} {} {:>8.1f}  {}\n", set.name, traits.name, accuracy.mean,
             accuracy.deviation, PaperColumns(set.name, traits.kind, accuracy), Seconds(Clock::now() - start),
             accuracy.chosen);
  std::fflush(stdout);
  return absl::OkStatus();
}

void PrintHeader(const Options& options) {
  const ExperimentOptions& experiment = options.experiment;
  const int inner = experiment.folds - 1;
  fmt::print(
      "{} repetitions of {} folds, stratified; cost, depth {} to {} and normalization chosen by {} of the {} "
      "folds "
      "of the training part{}; trainings of more than {} steps given up; edge labels {}; seed {}\n",
      experiment.repetitions, experiment.folds, experiment.depth_min, options.depth_max,
      std::min(experiment.inner_rounds, inner), inner, experiment.race ? ", by a race" : "",
      experiment.steps_max, options.edge_labels ? "kept" : "ignored", experiment.seed);
  if (!options.each_setting) {
    fmt::print("{:<12} {:<6} {:>12} {:>12} {:>7} {:>8}  {}\n", "set", "kernel", "accuracy", "paper", "in sd",
               "seconds", "chosen most often");
  }
}

absl::Status Run(const Options& options) {
  PrintHeader(options);
  for (const std::string& path : options.sets) {
    KINDRED_ASSIGN_OR_RETURN(const LabelledGraphs set, ReadLabelledGraphs(path, options.edge_labels));
    for (const KernelTraits& traits : kKernels) {
      if (std::ranges::find(options.kernels, traits.word) != options.kernels.end()) {
        KINDRED_RETURN_IF_ERROR(RunKernel(options, set, traits));
      }
    }
  }
  return absl::OkStatus();
}

std::string CheckKernel(const std::string& word) {
  const bool known =
      std::ranges::any_of(kKernels, [&](const KernelTraits& traits) { return word == traits.word; });
  return known ? std::string() : "\"" + word + "\" is not a kernel";
}

}  // namespace
}  // namespace kindred::bench

int main(int argc, char** argv) {
  kindred::bench::Options options;
  kindred::bench::ExperimentOptions& experiment = options.experiment;
  CLI::App app("Classifies graphs by kernels, as the paper did.");
  app.option_defaults()->always_capture_default();
  const CLI::Range folds(3, 1000);
  const CLI::Range many(1, 1000);
  app.add_option("sets", options.sets, "TU data sets: directories or archives")->required();
  app.add_option("--kernels", options.kernels, "Of wloa, voa, eoa, wl, v, e, gl, sp")
      ->delimiter(',')
      ->check(kindred::bench::CheckKernel);
  app.add_option("--depth-min", experiment.depth_min, "The least depth that is chosen from")
      ->check(CLI::Range(0, 15));
  app.add_option("--depth-max", options.depth_max, "The greatest")->check(CLI::Range(0, 15));
  app.add_option("--repetitions", experiment.repetitions, "Of the division into folds, each by chance")
      ->check(many);
  app.add_option("--folds", experiment.folds, "Each is tested once, and validated on when others are")
      ->check(folds);
  app.add_flag(
      "--race", experiment.race,
      "After the first, second and fourth fold that settings are validated on, the worse half drops out");
  app.add_option("--inner-rounds", experiment.inner_rounds,
                 "Of the other folds at most so many are validated on")
      ->check(many);
  app.add_option("--costs", experiment.costs, "C")->delimiter(',')->check(CLI::PositiveNumber);
  app.add_option("--steps-max", experiment.steps_max, "Trainings that take more are given up while choosing")
      ->check(CLI::PositiveNumber);
  app.add_flag("--each-setting", options.each_setting,
               "Choose nothing; print the accuracy of every setting on the test folds, to explain a result");
  app.add_option("--seed", experiment.seed, "Of the divisions");
  app.add_option("--threads", options.threads, "That train at once")->check(many);
  app.add_flag("--edge-labels", options.edge_labels, "Keep the labels of edges");
  app.add_flag("--quiet", options.quiet, "Do not tell on standard error how far it is");
  CLI11_PARSE(app, argc, argv);
  std::ranges::sort(experiment.costs);
  if (experiment.depth_min > options.depth_max) {
    fmt::print(stderr, "bench_classify: --depth-min is greater than --depth-max\n");
    return 64;
  }
  if (const absl::Status status = kindred::bench::Run(options); !status.ok()) {
    fmt::print(stderr, "bench_classify: {}\n", std::string(status.message()));
    return 1;
  }
  return 0;
}
