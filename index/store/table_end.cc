#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif

#include "index/store/table_end.h"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/coding.h"
#include "index/base/status.h"
#include "index/store/rocks_status.h"
#include "xxhash.h"

namespace kindred {
namespace {

// RocksDB's format of block-based tables, versions 1 to 5. The footer: kind of the checksums (1 byte), places
// of two blocks (40 bytes), version (4), magic number (8). Behind each block: compression (1), checksum (4).
constexpr uint64_t kFooterBytes = 53;
constexpr uint64_t kPlacesBytes = 40;
constexpr uint64_t kMagicNumber = 0x88e241b785f4cff7;
constexpr char kXxh3 = 4;  // The default of RocksDB, which every table of ours has.
constexpr uint64_t kTrailerBytes = 5;

struct Place {
  uint64_t offset = 0;
  uint64_t size = 0;
};

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i) {
    value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  }
  return value;
}

Place ReadPlace(Decoder& decoder) {
  const uint64_t offset = decoder.Varint();
  return {offset, decoder.Varint()};
}

// The properties' place, by the entries of the block of places: key and value each with their lengths, of the
// key what it shares with the one before (here nothing).
std::optional<Place> FindProperties(std::string_view block) {
  const uint64_t restarts = block.size() < 4 ? 0 : LittleEndian(block.substr(block.size() - 4));
  if (block.size() < 4 || restarts > block.size() / 4 - 1) {
    return std::nullopt;
  }
  std::string_view rest = block.substr(0, block.size() - 4 * (restarts + 1));
  while (!rest.empty()) {
    Decoder decoder(rest);
    const uint32_t shared = decoder.Varint32();
    const uint64_t key_bytes = decoder.Varint32();
    const uint64_t value_bytes = decoder.Varint32();
    rest = decoder.rest();
    if (!decoder.ok() || shared != 0 || rest.size() < key_bytes + value_bytes) {
      return std::nullopt;
    }
    Decoder value(rest.substr(key_bytes, value_bytes));
    if (rest.substr(0, key_bytes) == "rocksdb.properties") {
      const Place place = ReadPlace(value);
      return value.Done() ? std::optional(place) : std::nullopt;
    }
    rest.remove_prefix(key_bytes + value_bytes);
  }
  return std::nullopt;
}

class TableFile {
 public:
  TableFile(std::unique_ptr<rocksdb::RandomAccessFile> file, uint64_t size)
      : file_(std::move(file)), size_(size) {}

  absl::StatusOr<std::string> Read(Place place) const {
    std::string bytes(place.size, '\0');
    rocksdb::Slice read;
    KINDRED_RETURN_IF_ERROR(FromRocks(file_->Read(place.offset, place.size, &read, bytes.data()), "read"));
    if (read.size() != place.size) {
      return DataLoss("ends early");
    }
    return std::string(read.data(), read.size());
  }

  // With what stands behind the block.
  absl::Status CheckPlace(Place place) const {
    const bool fits = place.offset <= size_ && place.size <= size_ - place.offset &&
                      size_ - place.offset - place.size >= kTrailerBytes;
    return fits ? absl::OkStatus() : DataLoss("a block lies beyond its end");
  }

  // Without what stands behind it.
  absl::StatusOr<std::string> ReadBlock(Place place) const {
    KINDRED_RETURN_IF_ERROR(CheckPlace(place));
    KINDRED_ASSIGN_OR_RETURN(std::string block, Read({place.offset, place.size + kTrailerBytes}));
    const std::string_view trailer = std::string_view(block).substr(place.size);
    constexpr uint32_t kLastByteFactor = 0x6b9083d9;
    const auto computed = static_cast<uint32_t>(XXH3_64bits(block.data(), place.size)) ^
                          static_cast<uint8_t>(trailer[0]) * kLastByteFactor;
    if (LittleEndian(trailer.substr(1)) != computed) {
      return DataLoss("block checksum mismatch at offset {}", place.offset);
    }
    block.resize(place.size);
    return block;
  }

 private:
  const std::unique_ptr<rocksdb::RandomAccessFile> file_;
  const uint64_t size_;
};

absl::Status CheckEnd(const std::string& path, rocksdb::Env& env) {
  uint64_t size = 0;
  KINDRED_RETURN_IF_ERROR(FromRocks(env.GetFileSize(path, &size), "size"));
  if (size < kFooterBytes) {
    return absl::OkStatus();
  }
  std::unique_ptr<rocksdb::RandomAccessFile> file;
  KINDRED_RETURN_IF_ERROR(FromRocks(env.NewRandomAccessFile(path, &file, rocksdb::EnvOptions()), "open"));
  const TableFile table(std::move(file), size);
  KINDRED_ASSIGN_OR_RETURN(const std::string footer, table.Read({size - kFooterBytes, kFooterBytes}));
  if (LittleEndian(std::string_view(footer).substr(kFooterBytes - 8)) != kMagicNumber) {
    return absl::OkStatus();
  }
  if (footer.front() != kXxh3) {
    return DataLoss("its footer is damaged: no table has checksums of kind {}", int{footer.front()});
  }
  Decoder places(std::string_view(footer).substr(1, kPlacesBytes));
  const Place meta = ReadPlace(places);
  const Place index = ReadPlace(places);
  if (!places.ok()) {
    return DataLoss("its footer is damaged: it names no blocks");
  }
  KINDRED_RETURN_IF_ERROR(table.CheckPlace(index));  // RocksDB makes room for it whatever its size.
  KINDRED_ASSIGN_OR_RETURN(const std::string blocks, table.ReadBlock(meta));
  const std::optional<Place> properties = FindProperties(blocks);
  return properties ? table.ReadBlock(*properties).status() : DataLoss("has no properties");
}

}  // namespace

absl::Status CheckTableEnds(const std::string& db_path, rocksdb::Env& env) {
  std::vector<std::string> names;
  env.GetChildren(db_path, &names).PermitUncheckedError();  // There may be none yet.
  for (const std::string& name : names) {
    if (name.ends_with(".sst")) {
      KINDRED_RETURN_IF_ERROR(Annotate(CheckEnd(fmt::format("{}/{}", db_path, name), env),
                                       fmt::format("{}/{}: ", db_path, name)));
    }
  }
  return absl::OkStatus();
}

}  // namespace kindred
