// kindred convert: writes the records of files as protobuf, ready to be sent.

#include <memory>
#include <string_view>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/output.h"
#include "client/cli/read_flags.h"
#include "client/cli/record_run.h"
#include "client/cli/session.h"
#include "client/formats/pb_reader.h"
#include "client/formats/pb_writer.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct ConvertFlags {
  RecordFlags records;
  std::string output;
};

// What is no record file by its name is more likely an input than an output to be overwritten.
bool IsRecordFile(std::string_view path) {
  return path == "-" || path.ends_with(".pb") || path.ends_with(".pb.zst");
}

absl::StatusOr<ExitCode> RunConvert(const Session& session, const ConvertFlags& flags) {
  RecordRun run(session, flags.records);
  KINDRED_RETURN_IF_ERROR(run.CheckFiles());
  KINDRED_ASSIGN_OR_RETURN(Output output, Output::Open(flags.output, session.out()));
  uint64_t written = 0;
  uint64_t bytes = 0;
  formats::PbWriter writer(flags.output.ends_with(".zst"), [&](std::string_view more) {
    bytes += more.size();
    return output.Write(more);
  });
  KINDRED_RETURN_IF_ERROR(run.Run("", [&](const std::string& record, client::Position position) {
    if (record.size() > formats::kRecordBytesMax) {
      run.Reject(
          position, "",
          OverLimit("bytes of the record", record.size(), "record_bytes_max", formats::kRecordBytesMax));
      return absl::OkStatus();
    }
    ++written;
    return writer.Add(record);
  }));
  // Half a file would look like a whole one.
  if (!run.stopped()) {
    KINDRED_RETURN_IF_ERROR(writer.Finish());
    KINDRED_RETURN_IF_ERROR(output.Close());
  }
  FILE* const out = output.is_standard() ? session.err() : session.out();
  KINDRED_RETURN_IF_ERROR(run.PrintSummary(out,
                                           {{"read", run.read()},
                                            {"written", run.stopped() ? 0 : written},
                                            {"rejected", run.rejected()},
                                            {"bytes", run.stopped() ? 0 : bytes}},
                                           written));
  return run.code();
}

}  // namespace

Command AddConvert(CLI::App& parent) {
  const auto flags = std::make_shared<ConvertFlags>();
  CLI::App& app = *parent.add_subcommand("convert", "write graphs of any format as protobuf, fast to ingest");
  AddWords(
      app, "IN... OUT", flags->records.files,
      "files to read, as for ingest; the last is the one to write: .pb, or .pb.zst for a compressed one, "
      "or - for standard output")
      ->expected(2, -1);
  AddRecordFlags(app, flags->records, "then nothing is written");
  app.footer(
      "The file appears under its name when it is complete; what is rejected is left out of it.\n"
      "No daemon is needed. Ctrl-C ends it without a file.");
  app.final_callback([flags] {
    flags->output = std::move(flags->records.files.back());
    flags->records.files.pop_back();
    if (!IsRecordFile(flags->output)) {
      throw CLI::ValidationError("OUT", "\"" + flags->output + "\" ends neither in .pb nor in .pb.zst");
    }
  });
  return {&app, [flags](Session& session) { return RunConvert(session, *flags); }};
}

}  // namespace kindred::cli
