#include "client/formats/archive_source.h"

#include <gtest/gtest.h>

#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

std::string ReadFile(ArchiveSource& source) {
  std::string text;
  while (true) {
    const absl::StatusOr<std::string_view> block = source.NextBlock();
    EXPECT_TRUE(block.ok()) << block.status();
    if (!block.ok() || block->empty()) return text;
    text.append(*block);
  }
}

TEST(ArchiveSource, GivesEachFileOfAnArchive) {
  const TestFiles files;
  const Files content = {{"a/one.txt", "1"}, {"a/b/two.txt", std::string(1'000'000, '2')}, {"empty", ""}};
  for (const Container container : {Container::kTar, Container::kZip}) {
    const std::string path = files.WriteArchive("x", container, Compression::kNone, content);
    const auto source = ArchiveSource::Open(path);
    ASSERT_TRUE(source.ok()) << source.status();
    EXPECT_TRUE((*source)->is_archive());
    Files read;
    while (true) {
      const auto file = (*source)->NextFile();
      ASSERT_TRUE(file.ok()) << file.status();
      if (!file->has_value()) break;
      const std::string text = ReadFile(**source);
      read.emplace_back(**file, text);
    }
    EXPECT_EQ(read, content);
  }
}

TEST(ArchiveSource, SkipsFilesThatAreNotRead) {
  const TestFiles files;
  const auto source = ArchiveSource::Open(files.WriteArchive(
      "x", Container::kTar, Compression::kXz, {{"one", std::string(100'000, '1')}, {"two", "2"}}));
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ((*source)->NextFile().value(), "one");
  EXPECT_EQ((*source)->NextFile().value(), "two");
  EXPECT_EQ(ReadFile(**source), "2");
  EXPECT_EQ((*source)->NextFile().value(), std::nullopt);
}

TEST(ArchiveSource, TellsAFileFromAnArchive) {
  const TestFiles files;
  const auto source = ArchiveSource::Open(files.WriteCompressed("x.tar", Compression::kGzip, "only text"));
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_FALSE((*source)->is_archive());
  EXPECT_EQ(ReadFile(**source), "only text");
}

TEST(ArchiveSource, NamesAMissingFile) {
  const TestFiles files;
  const auto source = ArchiveSource::Open(files.Path("missing.smi"));
  EXPECT_EQ(source.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Message(source.status()),
            "cannot open '" + files.Path("missing.smi") + "': No such file or directory");
}

TEST(ArchiveSource, RefusesADirectory) {
  const TestFiles files;
  EXPECT_EQ(Message(ArchiveSource::Open(files.directory()).status()),
            "cannot read '" + files.directory() + "': it is a directory");
}

TEST(ArchiveSource, ReportsATruncatedArchive) {
  const TestFiles files;
  const std::string whole = ReadBytes(
      files.WriteArchive("x", Container::kTar, Compression::kNone, {{"one", std::string(100'000, '1')}}));
  const auto source = ArchiveSource::Open(files.Write("cut", whole.substr(0, 50'000)));
  ASSERT_TRUE(source.ok()) << source.status();
  ASSERT_EQ((*source)->NextFile().value(), "one");
  absl::StatusOr<std::string_view> block = (*source)->NextBlock();
  while (block.ok() && !block->empty()) block = (*source)->NextBlock();
  EXPECT_EQ(block.status().code(), absl::StatusCode::kDataLoss) << block.status();
}

}  // namespace
}  // namespace kindred::formats
