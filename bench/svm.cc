#include "bench/svm.h"

#include <libsvm/svm.h>

#include <cmath>
#include <memory>

namespace kindred::bench {
namespace {

constexpr double kTolerance = 1e-3;  // LIBSVM's own default.
constexpr double kCacheMegabytes = 200;

svm_parameter Parameters(double cost) {
  svm_parameter parameters{};
  parameters.svm_type = C_SVC;
  parameters.kernel_type = PRECOMPUTED;
  parameters.cache_size = kCacheMegabytes;
  parameters.eps = kTolerance;
  parameters.C = cost;
  parameters.shrinking = 1;
  return parameters;
}

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

}  // namespace

SvmRows::SvmRows(const Matrix& matrix, bool normalize)
    : size_(matrix.size), nodes_(matrix.size * (matrix.size + 1)) {
  svm_set_print_string_function([](const char*) {});
  for (size_t i = 0; i < size_; ++i) {
    svm_node* const node = row(i);
    node[0] = {0, static_cast<double>(i + 1)};
    for (size_t j = 0; j < size_; ++j) {
      double value = matrix.at(i, j);
      if (normalize) {
        const double selves = static_cast<double>(matrix.at(i, i)) * matrix.at(j, j);
        value = selves > 0 ? value / std::sqrt(selves) : 0;
      }
      node[j + 1] = {static_cast<int>(j + 1), value};
    }
  }
}

SvmRows::~SvmRows() = default;

svm_node* SvmRows::row(size_t i) const { return const_cast<svm_node*>(&nodes_[i * (size_ + 1)]); }

uint32_t SvmRows::CountRight(std::span<const uint32_t> train, std::span<const uint32_t> test,
                             std::span<const int> classes, double cost) const {
  const std::vector<int> found = Classify(train, test, classes, cost);
  uint32_t right = 0;
  for (size_t i = 0; i < test.size(); ++i) {
    right += found[i] == classes[test[i]] ? 1 : 0;
  }
  return right;
}

std::vector<int> SvmRows::Classify(std::span<const uint32_t> train, std::span<const uint32_t> test,
                                   std::span<const int> classes, double cost) const {
  std::vector<double> targets;
  std::vector<svm_node*> rows;
  for (const uint32_t i : train) {
    targets.push_back(classes[i]);
    rows.push_back(row(i));
  }
  const svm_problem problem{static_cast<int>(train.size()), targets.data(), rows.data()};
  const svm_parameter parameters = Parameters(cost);
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameters));
  std::vector<int> found;
  for (const uint32_t i : test) {
    found.push_back(static_cast<int>(svm_predict(model.get(), row(i))));
  }
  return found;
}

}  // namespace kindred::bench
