#include "client/cli/level_flags.h"

namespace kindred::cli {

void AddLevelFlags(CLI::App& app, LevelFlags& flags) {
  app.add_option("--depth", flags.depth, "levels 0 to D count (default: all the index has)")->type_name("D");
  app.add_option("--weights", flags.weights, "a weight for each level (default: 1 each)")
      ->type_name("W0,W1,..")
      ->check([](const std::string& text) {
        const auto weights = ParseWeights(text);
        return weights.ok() ? std::string() : std::string(weights.status().message());
      });
}

}  // namespace kindred::cli
