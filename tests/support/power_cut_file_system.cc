#include "tests/support/power_cut_file_system.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "index/base/check.h"
#include "tests/support/power_cut_files.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

using Bytes = PowerCutFileSystem::Bytes;

fs::path ParentOf(const fs::path& path) { return path.lexically_normal().parent_path(); }

// Takes back overwrites that were not synced; of the last one that stays, a part.
void UndoOverwrites(const std::string& path, const Bytes& bytes, size_t kept, uint64_t kept_bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  for (size_t i = bytes.unsynced.size(); i > kept; --i) {
    const Bytes::Overwrite& last = bytes.unsynced[i - 1];
    const uint64_t skip = i - 1 == kept ? std::min<uint64_t>(kept_bytes, last.before.size()) : 0;
    file.seekp(static_cast<std::streamoff>(last.offset + skip));
    file.write(last.before.data() + skip, static_cast<std::streamsize>(last.before.size() - skip));
  }
  KINDRED_CHECK(file.good());
}

}  // namespace

PowerCutFileSystem::PowerCutFileSystem(std::string graveyard) : graveyard_(std::move(graveyard)) {}

void PowerCutFileSystem::CutAt(uint64_t operation) {
  const std::scoped_lock lock(mutex_);
  cut_at_ = operation;
}

uint64_t PowerCutFileSystem::operations() const {
  const std::scoped_lock lock(mutex_);
  return operations_;
}

bool PowerCutFileSystem::is_cut() const {
  const std::scoped_lock lock(mutex_);
  return operations_ >= cut_at_;
}

IOStatus PowerCutFileSystem::Step() {
  const std::scoped_lock lock(mutex_);
  ++operations_;
  return operations_ < cut_at_ ? IOStatus::OK() : IOStatus::IOError("the power is cut");
}

void PowerCutFileSystem::NoteAppend(Bytes& bytes, uint64_t count) {
  const std::scoped_lock lock(mutex_);
  bytes.size += count;
}

void PowerCutFileSystem::NoteOverwrite(Bytes& bytes, uint64_t offset, std::string before) {
  const std::scoped_lock lock(mutex_);
  bytes.unsynced.push_back({offset, std::move(before)});
}

void PowerCutFileSystem::NoteSync(Bytes& bytes) {
  const std::scoped_lock lock(mutex_);
  bytes.synced = bytes.size;
  bytes.unsynced.clear();
}

void PowerCutFileSystem::NoteDirectorySync(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  const fs::path synced = ParentOf(fs::path(path) / "name");
  std::vector<bool> durable(changes_.size());
  for (size_t i = 0; i < changes_.size(); ++i) {
    durable[i] = ParentOf(changes_[i].path) == synced;
    if (durable[i] && changes_[i].kind == Change::Kind::kRemove) {
      // With a directory all goes that was in it.
      for (size_t j = 0; j < i; ++j) {
        durable[j] = durable[j] || changes_[j].path.starts_with(changes_[i].path + "/");
      }
    }
  }
  std::vector<Change> left;
  for (size_t i = 0; i < changes_.size(); ++i) {
    if (!durable[i]) {
      left.push_back(std::move(changes_[i]));
    } else if (!changes_[i].replaced.empty()) {
      fs::remove_all(changes_[i].replaced);
      files_.erase(changes_[i].replaced);
    }
  }
  changes_ = std::move(left);
}

IOStatus PowerCutFileSystem::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                             std::unique_ptr<rocksdb::FSWritableFile>* file,
                                             IODebugContext* debug) {
  if (IOStatus step = Step(); !step.ok()) {
    return step;
  }
  const bool is_new = !fs::exists(path);
  if (IOStatus made = target()->NewWritableFile(path, options, file, debug); !made.ok()) {
    return made;
  }
  const std::scoped_lock lock(mutex_);
  if (is_new) {
    changes_.push_back({Change::Kind::kCreate, path, "", ""});
  }
  const auto bytes = std::make_shared<Bytes>();
  files_[path] = bytes;
  *file = std::make_unique<CutWritableFile>(std::move(*file), *this, bytes);
  return IOStatus::OK();
}

IOStatus PowerCutFileSystem::NewRandomRWFile(const std::string& path, const rocksdb::FileOptions& options,
                                             std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                             IODebugContext* debug) {
  if (IOStatus opened = target()->NewRandomRWFile(path, options, file, debug); !opened.ok()) {
    return opened;
  }
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<Bytes>& bytes = files_[path];
  if (bytes == nullptr) {
    const uint64_t size = fs::file_size(path);
    bytes = std::make_shared<Bytes>(Bytes{size, size, {}});
  }
  *file = std::make_unique<CutRandomRWFile>(std::move(*file), *this, bytes);
  return IOStatus::OK();
}

IOStatus PowerCutFileSystem::NewDirectory(const std::string& path, const IOOptions& options,
                                          std::unique_ptr<rocksdb::FSDirectory>* directory,
                                          IODebugContext* debug) {
  IOStatus opened = target()->NewDirectory(path, options, directory, debug);
  if (opened.ok()) {
    *directory = std::make_unique<CutDirectory>(std::move(*directory), *this, path);
  }
  return opened;
}

IOStatus PowerCutFileSystem::CreateDir(const std::string& path, const IOOptions& options,
                                       IODebugContext* debug) {
  if (IOStatus step = Step(); !step.ok()) {
    return step;
  }
  IOStatus made = target()->CreateDir(path, options, debug);
  const std::scoped_lock lock(mutex_);
  if (made.ok()) {
    changes_.push_back({Change::Kind::kCreate, path, "", ""});
  }
  return made;
}

IOStatus PowerCutFileSystem::CreateDirIfMissing(const std::string& path, const IOOptions& options,
                                                IODebugContext* debug) {
  return fs::is_directory(path) ? IOStatus::OK() : CreateDir(path, options, debug);
}

IOStatus PowerCutFileSystem::DeleteFile(const std::string& path, const IOOptions&, IODebugContext*) {
  if (IOStatus step = Step(); !step.ok()) {
    return step;
  }
  const std::scoped_lock lock(mutex_);
  if (!fs::exists(path)) {
    return IOStatus::PathNotFound(path);
  }
  changes_.push_back({Change::Kind::kRemove, path, "", Bury(path)});
  return IOStatus::OK();
}

// REQUIRES: it is empty, as far as names go that are durable or not.
IOStatus PowerCutFileSystem::DeleteDir(const std::string& path, const IOOptions&, IODebugContext*) {
  if (IOStatus step = Step(); !step.ok()) {
    return step;
  }
  const std::scoped_lock lock(mutex_);
  if (!fs::is_directory(path) || !fs::is_empty(path)) {
    return IOStatus::IOError(path, "not an empty directory");
  }
  changes_.push_back({Change::Kind::kRemove, path, "", Bury(path)});
  return IOStatus::OK();
}

// Both names have the same bytes, and what survives of them is the same.
IOStatus PowerCutFileSystem::LinkFile(const std::string& from, const std::string& to,
                                      const IOOptions& options, IODebugContext* debug) {
  if (IOStatus step = Step(); !step.ok()) {
    return step;
  }
  if (IOStatus linked = target()->LinkFile(from, to, options, debug); !linked.ok()) {
    return linked;
  }
  const std::scoped_lock lock(mutex_);
  changes_.push_back({Change::Kind::kCreate, to, "", ""});
  if (const auto found = files_.find(from); found != files_.end()) {
    files_[to] = found->second;
  }
  return IOStatus::OK();
}

IOStatus PowerCutFileSystem::RenameFile(const std::string& from, const std::string& to, const IOOptions&,
                                        IODebugContext*) {
  if (IOStatus step = Step(); !step.ok()) {
    return step;
  }
  const std::scoped_lock lock(mutex_);
  if (!fs::exists(from)) {
    return IOStatus::PathNotFound(from);
  }
  changes_.push_back({Change::Kind::kRename, from, to, fs::exists(to) ? Bury(to) : ""});
  Move(from, to);
  return IOStatus::OK();
}

std::string PowerCutFileSystem::Bury(const std::string& path) {
  std::string grave = graveyard_ + "/" + std::to_string(++buried_);
  Move(path, grave);
  return grave;
}

void PowerCutFileSystem::Move(const std::string& from, const std::string& to) {
  fs::rename(from, to);
  if (auto moved = files_.extract(from)) {
    moved.key() = to;
    files_.erase(to);
    files_.insert(std::move(moved));
  }
}

void PowerCutFileSystem::Undo(const Change& change) {
  switch (change.kind) {
    case Change::Kind::kCreate:
      fs::remove_all(change.path);
      std::erase_if(files_, [&](const auto& file) {
        return file.first == change.path || file.first.starts_with(change.path + "/");
      });
      break;
    case Change::Kind::kRename:
      Move(change.target, change.path);
      break;
    case Change::Kind::kRemove:
      break;
  }
  if (!change.replaced.empty()) {
    Move(change.replaced, change.kind == Change::Kind::kRename ? change.target : change.path);
  }
}

void PowerCutFileSystem::Settle(Keep keep, Rng& rng) {
  const std::scoped_lock lock(mutex_);
  const auto kept = [&](uint64_t all) {
    return keep == Keep::kNothing ? 0 : keep == Keep::kAll ? all : Below(rng, all + 1);
  };
  for (const uint64_t stay = kept(changes_.size()); changes_.size() > stay; changes_.pop_back()) {
    Undo(changes_.back());
  }
  for (const auto& [path, bytes] : files_) {
    if (!fs::exists(path)) {
      continue;
    }
    const uint64_t size = bytes->synced + kept(bytes->size - bytes->synced);
    if (size < fs::file_size(path)) {
      fs::resize_file(path, size);
    }
    if (!bytes->unsynced.empty()) {
      const size_t whole = kept(bytes->unsynced.size());
      UndoOverwrites(path, *bytes, whole, kept(UINT32_MAX) % 41);
    }
  }
  files_.clear();
  changes_.clear();
}

}  // namespace kindred::test
