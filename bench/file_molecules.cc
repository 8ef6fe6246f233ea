#include "bench/file_molecules.h"

#include <utility>

#include "client/formats/record_reader.h"
#include "daemon/convert.h"
#include "index/base/status.h"

namespace kindred::bench {
namespace {

class FileSource : public MoleculeSource {
 public:
  explicit FileSource(std::unique_ptr<formats::RecordReader> reader) : reader_(std::move(reader)) {}

  std::optional<StoredRecord> Next() override {
    while (auto result = reader_->Next()) {
      if (!result->record.ok()) {
        continue;
      }
      Mutation put = daemon::ToPut(*result->record, WriteMode::kUpsert, "", Limits());
      if (put.record.ok()) {
        return **std::move(put.record);
      }
    }
    return std::nullopt;
  }

 private:
  std::unique_ptr<formats::RecordReader> reader_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<MoleculeSource>> MoleculesFromFile(const std::string& path) {
  KINDRED_ASSIGN_OR_RETURN(auto reader, formats::OpenRecords(path, {}));
  return std::make_unique<FileSource>(std::move(reader));
}

}  // namespace kindred::bench
