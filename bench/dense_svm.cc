#include "bench/dense_svm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/smo.h"

namespace kindred::bench {
namespace {

// Two classes, by their place in the order of first use, and what tells them apart.
struct ClassPair {
  size_t positive = 0;
  size_t negative = 0;
  std::vector<uint32_t> graphs;
  Smo smo;
  std::vector<float> test_kernels;  // Row by row, one for each graph that is to be classified.
};

double Decide(const ClassPair& pair, size_t test, std::span<const float> coefficients, double bias) {
  const float* const kernels = &pair.test_kernels[test * coefficients.size()];
  double sum = bias;
  for (size_t i = 0; i < coefficients.size(); ++i) {
    sum += static_cast<double>(kernels[i]) * static_cast<double>(coefficients[i]);
  }
  return sum;
}

}  // namespace

// All pairs of the classes that are trained on, and what they vote.
class DenseSvm::Pairs {
 public:
  Pairs(const DenseSvm& svm, std::span<const uint32_t> train, std::span<const uint32_t> tests)
      : test_count_(tests.size()) {
    std::vector<std::vector<uint32_t>> members;
    for (const uint32_t graph : train) {
      const int of_class = svm.classes_[graph];
      const auto place = std::ranges::find(labels_, of_class);
      if (place == labels_.end()) {
        labels_.push_back(of_class);
        members.emplace_back();
        members.back().push_back(graph);
      } else {
        members[static_cast<size_t>(place - labels_.begin())].push_back(graph);
      }
    }
    for (size_t positive = 0; positive < labels_.size(); ++positive) {
      for (size_t negative = positive + 1; negative < labels_.size(); ++negative) {
        std::vector<uint32_t> graphs = members[positive];
        graphs.insert(graphs.end(), members[negative].begin(), members[negative].end());
        std::vector<int> signs(graphs.size(), -1);
        std::fill_n(signs.begin(), members[positive].size(), 1);
        Smo smo(svm.Part(graphs, graphs), signs);
        std::vector<float> test_kernels = svm.Part(tests, graphs);
        pairs_.push_back({positive, negative, std::move(graphs), std::move(smo), std::move(test_kernels)});
      }
    }
  }

  bool Solve(double cost, uint64_t steps_max) {
    return std::ranges::all_of(pairs_, [&](ClassPair& pair) { return pair.smo.Solve(cost, steps_max); });
  }

  bool any_bounded() const {
    return std::ranges::any_of(pairs_, [](const ClassPair& pair) { return pair.smo.any_bounded(); });
  }

  // The class with the most votes; the first of them.
  std::vector<int> Classify() const {
    std::vector<std::vector<int>> votes(test_count_, std::vector<int>(labels_.size(), 0));
    for (const ClassPair& pair : pairs_) {
      const std::vector<float> coefficients = pair.smo.Coefficients();
      const double bias = pair.smo.Bias();
      for (size_t test = 0; test < test_count_; ++test) {
        ++votes[test][Decide(pair, test, coefficients, bias) > 0 ? pair.positive : pair.negative];
      }
    }
    std::vector<int> classes;
    classes.reserve(votes.size());
    for (const std::vector<int>& each : votes) {
      classes.push_back(labels_[static_cast<size_t>(std::ranges::max_element(each) - each.begin())]);
    }
    return classes;
  }

 private:
  const size_t test_count_;
  std::vector<int> labels_;
  std::vector<ClassPair> pairs_;
};

DenseSvm::DenseSvm(const Matrix& matrix, bool normalize, std::span<const int> classes, uint64_t steps_max)
    : matrix_(matrix), scales_(matrix.size, 1), classes_(classes), steps_max_(steps_max) {
  for (size_t i = 0; normalize && i < matrix.size; ++i) {
    const auto self = static_cast<double>(matrix.at(i, i));
    scales_[i] = self > 0 ? 1 / std::sqrt(self) : 0;
  }
}

float DenseSvm::at(uint32_t row, uint32_t column) const {
  return static_cast<float>(static_cast<double>(matrix_.at(row, column)) * scales_[row] * scales_[column]);
}

std::vector<float> DenseSvm::Part(std::span<const uint32_t> rows, std::span<const uint32_t> columns) const {
  std::vector<float> part;
  part.reserve(rows.size() * columns.size());
  for (const uint32_t row : rows) {
    for (const uint32_t column : columns) {
      part.push_back(at(row, column));
    }
  }
  return part;
}

std::vector<Verdict> DenseSvm::Judge(std::span<const uint32_t> train, std::span<const uint32_t> first,
                                     std::span<const uint32_t> second, std::span<const double> costs) const {
  std::vector<uint32_t> tests(first.begin(), first.end());
  tests.insert(tests.end(), second.begin(), second.end());
  Pairs pairs(*this, train, tests);
  std::vector<Verdict> verdicts(costs.size());
  for (size_t c = 0; c < costs.size(); ++c) {
    if (c > 0 && !pairs.any_bounded()) {
      verdicts[c] = verdicts[c - 1];
      continue;
    }
    if (!pairs.Solve(costs[c], steps_max_)) {
      break;
    }
    verdicts[c] = {true, c, {}};
    const std::vector<int> classes = pairs.Classify();
    for (size_t test = 0; test < tests.size(); ++test) {
      verdicts[c].right[test < first.size() ? 0 : 1] += classes[test] == classes_[tests[test]] ? 1 : 0;
    }
  }
  return verdicts;
}

}  // namespace kindred::bench
