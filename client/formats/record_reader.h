// Reads graphs from files, one record at a time, whatever the format.
//
// A reader never fails as a whole once it is open: a record that cannot be read is one result with an
// error, and the next call goes on behind it.
//
// Threads: one caller at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/formats/molecule_scheme.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::formats {

struct ReadResult {
  // Where the record begins: a line (text formats) or a record number, counted from 1.
  uint64_t position = 0;
  // The record's id as far as it is known, also when the record is bad.
  std::string id;
  absl::StatusOr<v1::Record> record;
};

// A record as it travels to the daemon.
struct EncodedResult {
  uint64_t position = 0;
  // As above; empty also for a record that is passed on without a look into it.
  std::string id;
  // A serialised v1::Record.
  absl::StatusOr<std::string> bytes;
};

class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // The next record, or nothing at the end of the input.
  virtual std::optional<ReadResult> Next() = 0;
  // The same, serialised.
  virtual std::optional<EncodedResult> NextEncoded();
};

enum class Format { kAuto, kSmiles, kSdf, kTu, kJsonLines, kProtobuf };

// What becomes of the properties of an SDF record: nothing, a tag each, or, as one JSON object, the payload.
enum class Properties { kDrop, kTags, kPayload };

struct ReadOptions {
  Format format = Format::kAuto;
  // False: leave the edge labels of graphs out. Of a molecule that is read from SMILES or SDF its scheme
  // decides.
  bool edge_labels = true;
  // How molecules become graphs.
  MoleculeScheme molecules{};
  // When not empty: a file of molecules is not opened, with FAILED_PRECONDITION, unless this is their scheme.
  std::string required_scheme{};

  // Of a table: a name in its header, or a number from 1. Empty: smiles_reader.h tells which.
  std::string smiles_column{};
  std::string id_column{};

  // Of an SDF file: the property that is the id; empty: the title line is.
  std::string id_property{};
  Properties properties = Properties::kDrop;

  // Threads that parse; 0: as many as there are cores.
  unsigned threads = 0;
};

// Opens `path` ("-" is standard input; .gz, .xz and .zst are read as they are; a TU data set is its
// directory or a tar archive of it). kAuto decides by name, then by content; says so when it cannot. Records
// of molecules state their scheme.
absl::StatusOr<std::unique_ptr<RecordReader>> OpenRecords(const std::string& path,
                                                          const ReadOptions& options);

}  // namespace kindred::formats
