// The molecules of zinc250k as graphs. Linked only by tests that read files of molecules.

#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "client/formats/record_reader.h"
#include "gtest/gtest.h"
#include "index/graph/graph.h"
#include "tests/support/shared_data.h"
#include "tests/support/status_matchers.h"
#include "wire/graph.h"

namespace kindred::test {

// The first so many, or all. REQUIRES: SharedData().
inline void ForEachZinc(size_t most, const std::function<void(const std::string& id, const Graph&)>& visit) {
  const auto reader = Must(formats::OpenRecords((*SharedData() / "molecules/zinc250k.smi.gz").string(), {}));
  size_t count = 0;
  while (auto result = count < most ? reader->Next() : std::nullopt) {
    ASSERT_TRUE(result->record.ok()) << result->record.status();
    visit(result->record->id(), Must(ToGraph(result->record->graph(), Limits())));
    ++count;
  }
}

}  // namespace kindred::test
