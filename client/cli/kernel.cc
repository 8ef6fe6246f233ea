// kindred kernel: the kernel matrix of stored graphs.

#include <memory>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/kernel_format.h"
#include "client/cli/output.h"
#include "client/cli/progress.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "client/formats/input_stream.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct KernelFlags {
  v1::KernelKind kernel = v1::KERNEL_KIND_WLOA;
  std::optional<uint32_t> depth;
  bool normalize = false;
  KernelFormat format = KernelFormat::kLibsvm;
  std::string ids_file;
  std::string output = "-";
  std::string class_tag = "class";
};

// One id a line; empty lines are skipped.
absl::StatusOr<std::vector<std::string>> ReadIds(const std::string& path) {
  KINDRED_ASSIGN_OR_RETURN(const auto input, formats::InputStream::Open(path));
  std::vector<std::string> ids;
  while (auto line = input->NextLine()) {
    KINDRED_ASSIGN_OR_RETURN(std::string id, std::move(line->text));
    if (!id.empty()) {
      ids.push_back(std::move(id));
    }
  }
  if (ids.empty()) {
    // An empty list would ask the daemon for all graphs.
    return InvalidArgument("{} has no ids in it", path);
  }
  return ids;
}

absl::StatusOr<std::vector<std::string>> ReadAllIds(client::Client& client,
                                                    const v1::KernelRequest& request) {
  // The header of a CSV file names every column before the first row is known.
  if (request.ids_size() > 0) {
    return std::vector<std::string>(request.ids().begin(), request.ids().end());
  }
  std::vector<std::string> ids;
  KINDRED_RETURN_IF_ERROR(client.Export({}, [&ids](const v1::Record& record) {
    ids.push_back(record.id());
    return absl::OkStatus();
  }));
  return ids;
}

absl::StatusOr<ExitCode> RunKernel(const Session& session, const KernelFlags& flags) {
  v1::KernelRequest request;
  request.set_kernel(flags.kernel);
  request.set_normalize(flags.normalize);
  request.set_row_tag(flags.class_tag);
  if (flags.depth.has_value()) {
    request.set_depth(*flags.depth);
  }
  if (!flags.ids_file.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const std::vector<std::string> ids, ReadIds(flags.ids_file));
    request.mutable_ids()->Assign(ids.begin(), ids.end());
  }
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  KINDRED_ASSIGN_OR_RETURN(Output output, Output::Open(flags.output, session.out()));
  const KernelFormat format = session.options.json ? KernelFormat::kJsonLines : flags.format;
  if (format == KernelFormat::kCsv) {
    // Rows of these very graphs, whatever is written meanwhile.
    KINDRED_ASSIGN_OR_RETURN(const std::vector<std::string> ids, ReadAllIds(*client, request));
    request.mutable_ids()->Assign(ids.begin(), ids.end());
    KINDRED_RETURN_IF_ERROR(output.Write(CsvHeader(ids)));
  }
  const bool shows_progress =
      IsTerminal(session.err()) && !(output.is_standard() && IsTerminal(session.out()));
  Progress progress(session.err(), shows_progress, "rows");
  KINDRED_RETURN_IF_ERROR(client->Kernel(request, [&](const v1::KernelRow& row) -> absl::Status {
    KINDRED_ASSIGN_OR_RETURN(const std::string line, FormatRow(row, format));
    progress.Update(row.index() + 1);
    return output.Write(line);
  }));
  KINDRED_RETURN_IF_ERROR(output.Close());
  return ExitCode::kOk;
}

}  // namespace

Command AddKernel(CLI::App& parent) {
  const auto flags = std::make_shared<KernelFlags>();
  CLI::App& app = *parent.add_subcommand("kernel", "kernel matrix of all graphs, or of some");
  AddChoice<v1::KernelKind>(app, "--kernel", flags->kernel,
                            {{"wloa", v1::KERNEL_KIND_WLOA}, {"voa", v1::KERNEL_KIND_VOA}},
                            "Weisfeiler-Lehman optimal assignment, or that of the vertex labels alone");
  app.add_option("--depth", flags->depth, "levels 0 to D count (default: all the index has)")->type_name("D");
  app.add_flag("--normalize", flags->normalize, "K(G,H) / sqrt(K(G,G) K(H,H)) instead of K(G,H)");
  AddChoice<KernelFormat>(app, "--format", flags->format,
                          {{"libsvm", KernelFormat::kLibsvm}, {"csv", KernelFormat::kCsv}},
                          "libsvm: \"class 0:row 1:K 2:K ...\"; csv: ids as header and first column");
  app.add_option("--ids-file", flags->ids_file, "only these graphs, in this order: one id a line")
      ->type_name("FILE");
  app.add_option("-o,--output", flags->output, "file to write; it appears when it is complete")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--class-tag", flags->class_tag, "the tag that is the class of a graph; without it: 0")
      ->type_name("KEY")
      ->capture_default_str();
  app.footer("With --json a row is a line. The whole has no time limit unless --timeout is given.");
  return {&app, [flags](Session& session) { return RunKernel(session, *flags); }};
}

}  // namespace kindred::cli
