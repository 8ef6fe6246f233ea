#include "client/formats/parallel_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

// A record whose id is the line; "#..." is skipped, "!..." bad.
std::optional<ReadResult> ParseTestLine(uint64_t number, std::string_view line) {
  if (line.starts_with('#')) return std::nullopt;
  ReadResult result{number, std::string(line), v1::Record()};
  if (line.starts_with('!')) {
    result.record = absl::InvalidArgumentError(result.id);
  } else {
    result.record->set_id(result.id);
  }
  return result;
}

std::vector<ReadResult> ReadText(std::string_view text, const ParallelReader::Parse& parse,
                                 unsigned threads) {
  const TestFiles files;
  absl::StatusOr<std::unique_ptr<InputStream>> input = InputStream::Open(files.Write("text", text));
  EXPECT_TRUE(input.ok()) << input.status();
  ParallelReader reader(std::make_unique<LineRecords>(*std::move(input)), parse, threads);
  return ReadAll(reader);
}

TEST(ParallelReader, ReadsNothingFromNothing) { EXPECT_TRUE(ReadText("", ParseTestLine, 4).empty()); }

TEST(ParallelReader, ReadsOneLine) {
  EXPECT_EQ(Summary(ReadText("a", ParseTestLine, 4)), (std::vector<std::string>{"1: a"}));
}

TEST(ParallelReader, KeepsTheOrderOfTheLines) {
  std::string text;
  std::vector<std::string> wanted;
  for (int i = 1; i <= 20'000; ++i) {
    // Every seventh is skipped, every eleventh is bad.
    const char* mark = i % 7 == 0 ? "#" : i % 11 == 0 ? "!" : "x";
    text += fmt::format("{}{}\n", mark, i);
    if (i % 7 != 0) wanted.push_back(fmt::format("{}: {}{}", i, mark, i));
  }
  for (const unsigned threads : {1U, 2U, 3U, 16U}) {
    EXPECT_EQ(Summary(ReadText(text, ParseTestLine, threads)), wanted) << threads << " threads";
  }
}

TEST(ParallelReader, KeepsTheOrderWhenEarlierLinesTakeLonger) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += fmt::format("{}\n", i);
  const auto slow = [](uint64_t number, std::string_view line) {
    std::this_thread::sleep_for(std::chrono::microseconds(number % 50 == 1 ? 5'000 : 10));
    return ParseTestLine(number, line);
  };
  const std::vector<ReadResult> results = ReadText(text, slow, 8);
  ASSERT_EQ(results.size(), 400U);
  for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].id, std::to_string(i));
}

TEST(ParallelReader, ParsesOnSeveralThreads) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  const auto note_thread = [&](uint64_t number, std::string_view line) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
    return ParseTestLine(number, line);
  };
  std::string text;
  for (int i = 0; i < 200; ++i) text += "a\n";
  EXPECT_EQ(ReadText(text, note_thread, 4).size(), 200U);
  EXPECT_GT(threads.size(), 1U);
}

TEST(ParallelReader, ReadsLinesLargerThanABatch) {
  const std::string large(kBatchBytesMax + 1, 'x');
  const std::vector<ReadResult> results = ReadText(large + "\na\n" + large + "\n" + large, ParseTestLine, 2);
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(results[1].id, "a");
  EXPECT_EQ(results[3].id, large);
}

TEST(ParallelReader, ReportsALineTooLongInItsPlace) {
  const std::string too_long(kLineBytesMax + 1, 'x');
  EXPECT_EQ(Summary(ReadText("a\n" + too_long + "\nb\n", ParseTestLine, 2)),
            (std::vector<std::string>{"1: a", fmt::format("2: line is longer than {} bytes", kLineBytesMax),
                                      "3: b"}));
}

TEST(ParallelReader, ReportsATruncatedFileBehindWhatCouldBeRead) {
  const TestFiles files;
  std::string text;
  for (int i = 1; i <= 100'000; ++i) text += fmt::format("{:x}\n", i * 0x9E3779B97F4A7C15ULL);
  const std::string whole = ReadBytes(files.WriteCompressed("whole", Compression::kGzip, text));
  auto input = InputStream::Open(files.Write("cut.gz", whole.substr(0, whole.size() / 2)));
  ASSERT_TRUE(input.ok());
  ParallelReader reader(std::make_unique<LineRecords>(*std::move(input)), ParseTestLine);
  const std::vector<ReadResult> results = ReadAll(reader);
  ASSERT_GT(results.size(), 10'000U);
  for (size_t i = 0; i + 1 < results.size(); ++i) ASSERT_TRUE(results[i].record.ok());
  EXPECT_EQ(results.back().position, results.size());
  EXPECT_EQ(Message(results.back().record.status()),
            "cannot read '" + files.Path("cut.gz") + "': truncated gzip input");
}

TEST(ParallelReader, MayBeLeftInTheMiddle) {
  const TestFiles files;
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "a\n";
  auto input = InputStream::Open(files.Write("text", text));
  ASSERT_TRUE(input.ok());
  ParallelReader reader(std::make_unique<LineRecords>(*std::move(input)), ParseTestLine, 2);
  EXPECT_TRUE(reader.Next().has_value());
}

TEST(ParallelReader, GivesTheLinesOfAPipeAsTheyCome) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const StandardInput standard_input(ends[0]);
  const auto send = [&](const std::string& text) {
    ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  // The first 512 bytes are awaited, to tell a tar archive.
  send("#" + std::string(600, 'x') + "\na\nb\n");
  auto input = InputStream::Open("-");
  ASSERT_TRUE(input.ok());
  ParallelReader reader(std::make_unique<LineRecords>(*std::move(input)), ParseTestLine, 2);
  EXPECT_EQ(reader.Next()->id, "a");
  EXPECT_EQ(reader.Next()->id, "b");
  send("c\n");
  EXPECT_EQ(reader.Next()->id, "c");
  send("d\ne\nhalf");
  EXPECT_EQ(reader.Next()->id, "d");
  EXPECT_EQ(reader.Next()->id, "e");
  ::close(ends[1]);
  EXPECT_EQ(reader.Next()->id, "half");
  EXPECT_FALSE(reader.Next().has_value());
}

}  // namespace
}  // namespace kindred::formats
