#include "client/cli/app.h"

#include <algorithm>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "client/address.h"
#include "client/cli/access_flags.h"
#include "client/cli/commands.h"
#include "client/cli/output.h"
#include "client/cli/session.h"
#include "client/cli/text.h"
#include "fmt/format.h"

namespace kindred::cli {
namespace {

constexpr double kTimeoutSecondsMin = 0.001;
constexpr double kTimeoutSecondsMax = 1e9;

std::string CheckAddress(const std::string& address) {
  const auto target = client::ToGrpcTarget(address);
  return target.ok() ? std::string() : std::string(target.status().message());
}

std::string CheckTimeout(const std::string& text) {
  double seconds = 0;
  const bool fine = CLI::detail::lexical_cast(text, seconds) && seconds >= kTimeoutSecondsMin &&
                    seconds <= kTimeoutSecondsMax;
  return fine ? std::string() : "\"" + text + "\" is not a number of seconds from 0.001 up";
}

void AddGlobalOptions(CLI::App& app, GlobalOptions& options) {
  app.add_option("--server", options.server, "address of the daemon: HOST:PORT, [IPV6]:PORT or unix:PATH")
      ->envname("KINDRED_SERVER")
      ->type_name("ADDR")
      ->check(CheckAddress)
      ->capture_default_str();
  app.add_flag("--json", options.json, "print one JSON object a line instead of tables for people");
  app.add_option(
         "--timeout", options.timeout_seconds,
         "seconds a call may take (default: 60; ingest, novel, export, kernel, verify, backup, compact, "
         "watch, pairs, clusters and search --file as a whole: no limit)")
      ->type_name("S")
      ->check(CheckTimeout);
  AddAccessFlags(app, options.access);
  app.set_version_flag("--version", "kindred " KINDRED_VERSION, "print the version and exit");
}

// CLI11 takes a word like "[Na+]" apart where several may stand, and loses what follows "--" where options
// of the parent are allowed; but ids and files may be called anything. So such words are marked before it
// sees them, and unmarked when an option takes them.
constexpr char kMark = '\x01';

std::vector<std::string> MarkWords(int argc, const char* const* argv) {
  std::vector<std::string> words;
  bool only_words = false;  // Behind "--".
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--" && !only_words) {
      only_words = true;
    } else if (only_words || (word.starts_with('[') && word.ends_with(']'))) {
      words.push_back(kMark + word);
    } else {
      words.push_back(word);
    }
  }
  std::ranges::reverse(words);  // As CLI11 wants them.
  return words;
}

void UnmarkValues(CLI::App& app) {
  const auto unmark = [](std::string& word) {
    word.erase(0, word.starts_with(kMark) ? 1 : 0);
    return std::string();
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() > 0) {
      option->transform(CLI::Validator(unmark, ""));
    }
  }
  for (CLI::App* command : app.get_subcommands({})) {
    UnmarkValues(*command);
  }
}

ExitCode ReportUsage(const CLI::App& app, const CLI::ParseError& error, FILE* err) {
  std::string help = "kindred";
  for (const CLI::App* command : app.get_subcommands()) {
    help += " " + command->get_name();
  }
  // CLI11 only says that a command is missing.
  const std::vector<std::string> unknown = app.remaining();
  std::string what = app.get_subcommands().empty() && !unknown.empty()
                         ? "there is no command \"" + unknown.front() + "\""
                         : error.what();
  std::erase(what, kMark);
  fmt::print(err, "kindred: {}\nRun \"{} --help\" for what is possible.\n", Printable(what), help);
  return ExitCode::kUsage;
}

}  // namespace

ExitCode RunCommandLine(int argc, const char* const* argv, FILE* out, FILE* err) {
  Session session(out, err);
  CLI::App app("Finds a graph's next of kin: the command line of kindredd.", "kindred");
  app.fallthrough();  // Global options may follow the command; inherited by the commands below.
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 fine; 3 some records were rejected, ids not found or hits not drawn; 64 wrong usage;\n"
      "69 the daemon cannot be reached; 130 interrupted; 1 anything else.\n"
      "\"kindred COMMAND --help\" tells more of a command.");
  AddGlobalOptions(app, session.options);
  const std::vector<Command> commands = {
      AddIngest(app), AddConvert(app), AddSearch(app),   AddGet(app),     AddDelete(app),    AddExport(app),
      AddStats(app),  AddKernel(app),  AddVerify(app),   AddExplain(app), AddRecommend(app), AddWatch(app),
      AddNovel(app),  AddPairs(app),   AddClusters(app), AddBackup(app),  AddCompact(app),   AddToken(app)};
  UnmarkValues(app);
  absl::StatusOr<ExitCode> code = ExitCode::kOk;
  std::string text;
  try {
    app.parse(MarkWords(argc, argv));
    for (const Command& command : commands) {
      if (command.app->parsed()) {
        code = command.run(session);
      }
    }
  } catch (const CLI::CallForHelp&) {
    text = app.help();
  } catch (const CLI::CallForVersion& version) {
    text = std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    return ReportUsage(app, error, err);
  }
  if (!code.ok()) {
    return session.Report(code.status());
  }
  Output output(out);
  absl::Status written = output.Write(text);
  written.Update(output.Close());
  return written.ok() ? *code : session.Report(written);
}

}  // namespace kindred::cli
