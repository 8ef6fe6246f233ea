// Every kernel equals its definition on random graphs, whatever the batches and threads its features were
// counted in.

#include <cmath>

#include "tests/property/generators.h"
#include "tests/property/rapidcheck_gtest.h"
#include "tests/support/gram_rows.h"
#include "tests/support/naive_kernels.h"

namespace kindred::test {
namespace {

constexpr Level kDepth = 2;

void CheckDefinition(KernelKind kind, const std::vector<Graph>& graphs, size_t batch, int threads) {
  const auto rows = RowsOf(GramOf(kind, kDepth, graphs, batch, threads));
  const auto cosines = RowsOf(GramOf(kind, kDepth, graphs), true);
  std::vector<std::vector<std::string>> parts;
  for (const Graph& graph : graphs) {
    parts.push_back(NaiveParts(kind, graph, kDepth));
  }
  std::vector<double> selves;
  for (const auto& own : parts) {
    selves.push_back(static_cast<double>(NaiveKernel(kind, own, own)));
  }
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (size_t j = 0; j < graphs.size(); ++j) {
      const auto kernel = static_cast<double>(NaiveKernel(kind, parts[i], parts[j]));
      RC_ASSERT(rows[i][j] == kernel);
      RC_ASSERT(cosines[i][j] == (selves[i] * selves[j] > 0 ? kernel / std::sqrt(selves[i] * selves[j]) : 0));
    }
  }
}

void CheckKernel(KernelKind kind) {
  const auto batch = *rc::gen::inRange<size_t>(1, 4);
  const auto threads = *rc::gen::inRange(1, 4);
  const int density = *rc::gen::inRange(1, 10);
  const GraphShape shape{.vertices_max = 7, .vertex_labels = 2, .edge_labels = 2, .density = density};
  CheckDefinition(kind, ToGraphs(*GenGraphs(5, shape)), batch, threads);
}

RC_GTEST_PROP(Kernels, WlOaEqualsItsDefinition, ()) { CheckKernel(KernelKind::kWlOa); }
RC_GTEST_PROP(Kernels, VOaEqualsItsDefinition, ()) { CheckKernel(KernelKind::kVOa); }
RC_GTEST_PROP(Kernels, EOaEqualsItsDefinition, ()) { CheckKernel(KernelKind::kEOa); }
RC_GTEST_PROP(Kernels, WlEqualsItsDefinition, ()) { CheckKernel(KernelKind::kWl); }
RC_GTEST_PROP(Kernels, VEqualsItsDefinition, ()) { CheckKernel(KernelKind::kV); }
RC_GTEST_PROP(Kernels, EEqualsItsDefinition, ()) { CheckKernel(KernelKind::kE); }
RC_GTEST_PROP(Kernels, GlEqualsItsDefinition, ()) { CheckKernel(KernelKind::kGl); }
RC_GTEST_PROP(Kernels, SpEqualsItsDefinition, ()) { CheckKernel(KernelKind::kSp); }

}  // namespace
}  // namespace kindred::test
