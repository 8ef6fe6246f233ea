#include "tests/unit/formats/test_files.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fmt/format.h"
#include "tests/support/paths.h"

namespace kindred::formats {

namespace fs = std::filesystem;

namespace {

void AddFilter(archive* writer, Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return;
    case Compression::kGzip:
      ASSERT_EQ(archive_write_add_filter_gzip(writer), ARCHIVE_OK);
      return;
    case Compression::kXz:
      ASSERT_EQ(archive_write_add_filter_xz(writer), ARCHIVE_OK);
      return;
    case Compression::kZstd:
      ASSERT_EQ(archive_write_add_filter_zstd(writer), ARCHIVE_OK);
      return;
    case Compression::kBzip2:
      ASSERT_EQ(archive_write_add_filter_bzip2(writer), ARCHIVE_OK);
      return;
  }
}

void AddFile(archive* writer, const std::string& path, std::string_view text) {
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, path.c_str());
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, static_cast<int64_t>(text.size()));
  ASSERT_EQ(archive_write_header(writer, entry), ARCHIVE_OK) << archive_error_string(writer);
  archive_entry_free(entry);
  ASSERT_EQ(archive_write_data(writer, text.data(), text.size()), static_cast<la_ssize_t>(text.size()));
}

}  // namespace

TestFiles::TestFiles() : directory_(::testing::TempDir() + "kindred-formats-XXXXXX") {
  EXPECT_NE(::mkdtemp(directory_.data()), nullptr);
}

TestFiles::~TestFiles() {
  std::error_code error;
  fs::remove_all(directory_, error);
}

std::string TestFiles::Path(std::string_view file) const { return fmt::format("{}/{}", directory_, file); }

std::string TestFiles::Write(std::string_view file, std::string_view bytes) const {
  const std::string path = Path(file);
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string TestFiles::WriteCompressed(std::string_view file, Compression compression,
                                       std::string_view text) const {
  const std::string path = Path(file);
  archive* writer = archive_write_new();
  AddFilter(writer, compression);
  EXPECT_EQ(archive_write_set_format_raw(writer), ARCHIVE_OK);
  EXPECT_EQ(archive_write_open_filename(writer, path.c_str()), ARCHIVE_OK);
  AddFile(writer, "data", text);
  EXPECT_EQ(archive_write_free(writer), ARCHIVE_OK);
  return path;
}

std::string TestFiles::WriteArchive(std::string_view file, Container container, Compression compression,
                                    const std::vector<std::pair<std::string, std::string>>& files) const {
  const std::string path = Path(file);
  archive* writer = archive_write_new();
  AddFilter(writer, compression);
  EXPECT_EQ(container == Container::kTar ? archive_write_set_format_pax_restricted(writer)
                                         : archive_write_set_format_zip(writer),
            ARCHIVE_OK);
  EXPECT_EQ(archive_write_open_filename(writer, path.c_str()), ARCHIVE_OK);
  for (const auto& [name, text] : files) AddFile(writer, name, text);
  EXPECT_EQ(archive_write_free(writer), ARCHIVE_OK);
  return path;
}

std::string ReadBytes(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

StandardInput::StandardInput(int fd) : kept_(::dup(STDIN_FILENO)) {
  EXPECT_EQ(::dup2(fd, STDIN_FILENO), STDIN_FILENO);
  ::close(fd);
}

StandardInput::~StandardInput() {
  ::dup2(kept_, STDIN_FILENO);
  ::close(kept_);
}

std::vector<ReadResult> ReadAll(RecordReader& reader) {
  std::vector<ReadResult> results;
  while (std::optional<ReadResult> result = reader.Next()) results.push_back(*std::move(result));
  EXPECT_FALSE(reader.Next().has_value()) << "the end must stay the end";
  return results;
}

std::vector<ReadResult> ReadAll(const std::string& path, const ReadOptions& options) {
  const absl::StatusOr<std::unique_ptr<RecordReader>> reader = OpenRecords(path, options);
  EXPECT_TRUE(reader.ok()) << reader.status();
  return reader.ok() ? ReadAll(**reader) : std::vector<ReadResult>();
}

std::vector<std::string> Summary(const std::vector<ReadResult>& results) {
  std::vector<std::string> summary;
  for (const ReadResult& result : results) {
    if (result.record.ok()) {
      EXPECT_EQ(result.record->id(), result.id);
    }
    summary.push_back(fmt::format("{}: {}", result.position,
                                  result.record.ok() ? result.id : Message(result.record.status())));
  }
  return summary;
}

std::string Message(const absl::Status& status) { return std::string(status.message()); }

std::string SharedPath(std::string_view path) {
  const char* named = std::getenv("KINDRED_SHARED_DIR");
  const fs::path shared = named != nullptr ? fs::path(named) : test::SourceDir() / ".." / "shared";
  std::error_code error;
  return fs::exists(shared / path, error) ? (shared / path).string() : "";
}

}  // namespace kindred::formats
