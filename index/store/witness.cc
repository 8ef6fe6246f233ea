#include "index/store/witness.h"

#include <algorithm>
#include <random>
#include <string_view>
#include <utility>

#include "index/base/coding.h"
#include "index/base/status.h"
#include "index/store/checksum.h"
#include "index/store/file_copy.h"

namespace kindred {
namespace {

constexpr std::string_view kMagic = "KWIT";
constexpr uint32_t kVersion = 1;
// A page each: no device writes one and tears the other.
constexpr size_t kSlotBytes = 4096;
constexpr size_t kSlots = 2;
constexpr size_t kSlotUsedBytes = 40;

std::string EncodeSlot(const Witness::Claim& claim) {
  std::string slot(kMagic);
  AppendFixed32(slot, kVersion);
  slot.append(claim.identity.data(), claim.identity.size());
  AppendFixed64(slot, Raw(claim.sequence));
  AppendFixed64(slot, Checksum(slot));
  return slot;
}

// Nothing: damaged, or torn by a power cut.
std::optional<Witness::Claim> DecodeSlot(std::string_view slot) {
  Witness::Claim claim;
  std::ranges::copy(slot.substr(8, claim.identity.size()), claim.identity.begin());
  claim.sequence = CommitSequence{Decoder(slot.substr(24, 8)).Fixed64()};
  return EncodeSlot(claim) == slot ? std::optional(claim) : std::nullopt;
}

std::string DirectoryOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace

StoreIdentity NewStoreIdentity() {
  StoreIdentity identity;
  std::random_device random;
  std::ranges::generate(identity, [&] { return static_cast<char>(random()); });
  return identity;
}

absl::StatusOr<std::optional<Witness::Claim>> Witness::Read(rocksdb::FileSystem& files,
                                                            const std::string& path) {
  const rocksdb::IOOptions options;
  if (files.FileExists(path, options, nullptr).IsNotFound()) {
    return std::nullopt;
  }
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  KINDRED_RETURN_IF_ERROR(
      FromFile(files.NewSequentialFile(path, rocksdb::FileOptions(), &file, nullptr), "open", path));
  std::string scratch(kSlots * kSlotBytes + 1, '\0');
  rocksdb::Slice read;
  KINDRED_RETURN_IF_ERROR(
      FromFile(file->Read(scratch.size(), options, &read, scratch.data(), nullptr), "read", path));
  if (read.size() != kSlots * kSlotBytes) {
    return DataLoss("{} is damaged: it has not {} bytes", path, kSlots * kSlotBytes);
  }
  std::optional<Claim> newest;
  for (size_t slot = 0; slot < kSlots; ++slot) {
    const auto claim = DecodeSlot({read.data() + slot * kSlotBytes, kSlotUsedBytes});
    if (claim && newest && claim->identity != newest->identity) {
      return DataLoss("{} is damaged: its halves belong to different stores", path);
    }
    if (claim && (!newest || newest->sequence < claim->sequence)) {
      newest = claim;
    }
  }
  if (!newest) {
    return DataLoss("{} is damaged: neither half has the right checksum", path);
  }
  return newest;
}

absl::StatusOr<std::unique_ptr<Witness>> Witness::Create(rocksdb::FileSystem& files, const std::string& path,
                                                         const Claim& claim) {
  std::string slot = EncodeSlot(claim);
  slot.resize(kSlotBytes);
  const std::string next = path + ".new";
  KINDRED_RETURN_IF_ERROR(WriteSynced(files, next, slot + slot));
  KINDRED_RETURN_IF_ERROR(
      FromFile(files.RenameFile(next, path, rocksdb::IOOptions(), nullptr), "rename", next));
  KINDRED_RETURN_IF_ERROR(SyncDirectoryAt(files, DirectoryOf(path)));
  std::unique_ptr<rocksdb::FSRandomRWFile> file;
  KINDRED_RETURN_IF_ERROR(
      FromFile(files.NewRandomRWFile(path, rocksdb::FileOptions(), &file, nullptr), "open", path));
  return std::unique_ptr<Witness>(new Witness(path, claim.identity, std::move(file)));
}

absl::Status Witness::Advance(CommitSequence sequence) {
  const uint64_t offset = next_slot_ * kSlotBytes;
  const rocksdb::IOOptions options;
  KINDRED_RETURN_IF_ERROR(
      FromFile(file_->Write(offset, EncodeSlot({identity_, sequence}), options, nullptr), "write", path_));
  KINDRED_RETURN_IF_ERROR(FromFile(file_->Sync(options, nullptr), "sync", path_));
  next_slot_ = (next_slot_ + 1) % kSlots;
  return absl::OkStatus();
}

}  // namespace kindred
