#include "tests/fuzz/store_files.h"

#include <memory>

#include "index/store/table_check.h"
#include "index/store/table_end.h"
#include "index/store/witness.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/fuzz/target.h"

namespace kindred::fuzz {
namespace {

constexpr auto kLoss = absl::StatusCode::kDataLoss;
constexpr size_t kWitnessBytes = 8192;

// A file system in memory with one file.
class OneFile {
 public:
  OneFile(std::string directory, const std::string& name)
      : directory_(std::move(directory)), path_(directory_ + "/" + name) {
    env_->CreateDirIfMissing(directory_).PermitUncheckedError();
  }

  const std::string& directory() const { return directory_; }
  const std::string& path() const { return path_; }
  rocksdb::Env& env() { return *env_; }
  rocksdb::FileSystem& files() { return *env_->GetFileSystem(); }

  void Write(std::string_view bytes) {
    Require(rocksdb::WriteStringToFile(env_.get(), {bytes.data(), bytes.size()}, path_).ok(), "a file");
  }
  std::string Read() {
    std::string bytes;
    Require(rocksdb::ReadFileToString(env_.get(), path_, &bytes).ok(), "no file");
    return bytes;
  }

 private:
  const std::unique_ptr<rocksdb::Env> env_{rocksdb::NewMemEnv(rocksdb::Env::Default())};
  const std::string directory_;
  const std::string path_;
};

Witness::Claim ClaimOf(OneFile& file) {
  const auto claim = Witness::Read(file.files(), file.path());
  Require(claim.ok() && claim->has_value(), "a new witness cannot be read: " + claim.status().ToString());
  return **claim;
}

// Two slots of a page each, of which only the first 40 bytes count: those are what the bytes give, so that
// fuzzing does not spend itself on what nobody reads. Longer ones are a file as they are.
std::string WitnessFile(std::string_view bytes) {
  constexpr size_t kUsed = 40;
  if (bytes.size() > 2 * kUsed) {
    return std::string(bytes);
  }
  std::string file(bytes.substr(0, kUsed));
  file.resize(kWitnessBytes / 2);
  file += bytes.size() > kUsed ? bytes.substr(kUsed) : bytes;
  file.resize(kWitnessBytes);
  return file;
}

}  // namespace

void RunWitness(std::string_view bytes) {
  OneFile file("/data", "witness");
  file.Write(WitnessFile(bytes));
  const auto claim = Witness::Read(file.files(), file.path());
  if (!claim.ok()) {
    RequireError(claim.status(), {kLoss});
    Require(std::string(claim.status().message()).find("/data/witness") != std::string::npos, "no name");
    return;
  }
  Require(claim->has_value(), "the file is there");
  const auto witness = Witness::Create(file.files(), file.path(), **claim);
  Require(witness.ok(), "a witness cannot be written");
  Require(ClaimOf(file).identity == (*claim)->identity && ClaimOf(file).sequence == (*claim)->sequence,
          "another claim after a round trip");
  if (Raw((*claim)->sequence) < UINT64_MAX) {
    const CommitSequence next{Raw((*claim)->sequence) + 1};
    Require((*witness)->Advance(next).ok() && ClaimOf(file).sequence == next, "an advance that is not read");
  }
}

std::vector<std::string> WitnessSeeds() {
  OneFile file("/data", "witness");
  Witness::Claim claim{{}, CommitSequence{41}};
  claim.identity.fill('k');
  const auto witness = Witness::Create(file.files(), file.path(), claim);
  Require(witness.ok() && (*witness)->Advance(CommitSequence{42}).ok(), "a witness");
  const std::string whole = file.Read();
  // The used parts of both slots; of one and the same; of one alone.
  const std::string first = whole.substr(0, 40);
  const std::string second = whole.substr(kWitnessBytes / 2, 40);
  return {first + second, first, first + std::string(40, '\0')};
}

void RunTableEnd(std::string_view bytes) {
  OneFile file("/db", "000007.sst");
  file.Write(bytes);
  const absl::Status end = CheckTableEnds(file.directory(), file.env());
  if (!end.ok()) {
    RequireError(end, {kLoss});
    Require(std::string(end.message()).find("/db/000007.sst: ") != std::string::npos, "no name");
    return;
  }
  const absl::Status whole = CheckTable(file.path(), file.env());
  Require(whole.ok() || !whole.message().empty(), "a refusal without a reason");
}

std::vector<std::string> TableEndSeeds() {
  std::vector<std::string> seeds;
  for (const int rows : {1, 40}) {
    OneFile file("/db", "000007.sst");
    rocksdb::Options options;
    options.env = &file.env();
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions{}, options);
    Require(writer.Open(file.path()).ok(), "a table");
    for (int i = 0; i < rows; ++i) {
      Require(writer.Put(std::to_string(100 + i), std::string(20, 'v')).ok(), "a row");
    }
    Require(writer.Finish().ok(), "the end of a table");
    seeds.push_back(file.Read());
  }
  return seeds;
}

}  // namespace kindred::fuzz
