// The options that name the liked and the disliked graphs of a recommendation: ids, molecules, files.
//
//     --like morphine=2 --dislike-smiles "CC(=O)O 0.5" --like-file liked.smi

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "client/cli/read_flags.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

// The examples of one side, as they were written.
struct SideFlags {
  std::vector<std::string> ids;
  std::vector<std::string> smiles;
  std::vector<std::string> files;
};

struct ExampleFlags {
  SideFlags liked;
  SideFlags disliked;
};

void AddExampleFlags(CLI::App& app, ExampleFlags& flags);

// What was written before and behind the weight; without a weight that is 1.
struct WeightedName {
  std::string name;
  double weight = 1;
};

// "morphine=2.5": the last '=' with a number behind it. An id that ends in such a thing itself is written
// with a weight.
absl::StatusOr<WeightedName> ParseWeightedId(std::string_view text);
// "CC(=O)O 2.5": the weight stands behind a space, since '=' is a bond.
absl::StatusOr<WeightedName> ParseWeightedSmiles(std::string_view text);

// Whether some of them are graphs to be read, not ids.
bool NeedGraphs(const ExampleFlags& flags);

// How people call an example: its id, its SMILES, or the id of its record in a file.
struct ExampleNames {
  std::vector<std::string> liked;
  std::vector<std::string> disliked;
};

// Adds all examples to the request, ids before molecules before files, each in the order they were written.
absl::StatusOr<ExampleNames> SetExamples(const ExampleFlags& flags, const formats::ReadOptions& options,
                                         v1::RecommendRequest& request);

}  // namespace kindred::cli
