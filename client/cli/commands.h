// The commands of kindred. Each lives in a file of its own, adds itself to the command line, and gives
// what runs it once the command line is parsed.

#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "client/cli/exit_code.h"

namespace CLI {
class App;
}

namespace kindred::cli {

class Session;

struct Command {
  CLI::App* app = nullptr;
  // A failed status is reported by the caller (Session::Report).
  std::function<absl::StatusOr<ExitCode>(Session&)> run;
};

Command AddIngest(CLI::App& parent);
Command AddConvert(CLI::App& parent);
Command AddSearch(CLI::App& parent);
Command AddGet(CLI::App& parent);
Command AddDelete(CLI::App& parent);
Command AddExport(CLI::App& parent);
Command AddStats(CLI::App& parent);
Command AddKernel(CLI::App& parent);
Command AddVerify(CLI::App& parent);
Command AddExplain(CLI::App& parent);
Command AddRecommend(CLI::App& parent);
Command AddWatch(CLI::App& parent);
Command AddNovel(CLI::App& parent);
Command AddPairs(CLI::App& parent);
Command AddClusters(CLI::App& parent);
Command AddToken(CLI::App& parent);
Command AddBackup(CLI::App& parent);
Command AddCompact(CLI::App& parent);

}  // namespace kindred::cli
