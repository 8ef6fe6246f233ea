#include "client/formats/gzip_input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

// The text, or "error: ..." behind what came before it.
std::string ReadDescriptor(int fd) {
  std::string text;
  GzipInput input(fd);
  while (true) {
    const absl::StatusOr<std::string_view> block = input.NextBlock();
    if (!block.ok()) return text + "error: " + Message(block.status());
    if (block->empty()) break;
    text += *block;
  }
  EXPECT_TRUE(input.NextBlock()->empty()) << "the end must stay the end";
  return text;
}

std::string ReadBytesAs(const std::string& bytes) {
  const TestFiles files;
  const int fd = ::open(files.Write("x", bytes).c_str(), O_RDONLY);
  std::string text = ReadDescriptor(fd);
  ::close(fd);
  return text;
}

std::string Gzipped(std::string_view text) {
  const TestFiles files;
  return ReadBytes(files.WriteCompressed("x", Compression::kGzip, text));
}

std::string RandomText(size_t bytes) {
  std::mt19937_64 random(1);
  std::string text(bytes, '\0');
  for (char& c : text) c = static_cast<char>('a' + random() % 16);
  return text;
}

TEST(GzipInput, PassesOnWhatIsNotGzip) {
  for (const std::string& bytes : {std::string(), std::string("a"), std::string("\x1F"),
                                   std::string("\x1F\x8C"), RandomText(3'000'000)}) {
    EXPECT_EQ(ReadBytesAs(bytes), bytes);
  }
}

TEST(GzipInput, Decompresses) {
  for (const size_t bytes : {0, 1, 262'143, 262'144, 262'145, 3'000'000}) {
    EXPECT_EQ(ReadBytesAs(Gzipped(RandomText(bytes))), RandomText(bytes)) << bytes;
  }
}

TEST(GzipInput, DecompressesManyMembers) {
  std::string bytes;
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += fmt::format("member {}\n", i);
    bytes += Gzipped(i % 3 == 0 ? "" : fmt::format("member {}\n", i));
    if (i % 3 == 0) bytes += Gzipped(fmt::format("member {}\n", i));
  }
  EXPECT_EQ(ReadBytesAs(bytes), text);
}

TEST(GzipInput, IgnoresZerosBehindTheData) {
  EXPECT_EQ(ReadBytesAs(Gzipped("text") + std::string(1, '\0')), "text");
  EXPECT_EQ(ReadBytesAs(Gzipped("text") + std::string(1'000'000, '\0')), "text");
}

TEST(GzipInput, ReportsAnythingElseBehindTheData) {
  EXPECT_EQ(ReadBytesAs(Gzipped("text") + "x"), "texterror: something else behind the gzip data");
  EXPECT_EQ(ReadBytesAs(Gzipped("text") + std::string(600'000, '\0') + "x"),
            "texterror: something else behind the gzip data");
}

TEST(GzipInput, ComparesChecksumAndLength) {
  const std::string whole = Gzipped("text");
  std::string checksum = whole;
  checksum[whole.size() - 8] ^= 1;
  EXPECT_EQ(ReadBytesAs(checksum), "error: incorrect data check");
  std::string length = whole;
  length[whole.size() - 4] ^= 1;
  EXPECT_EQ(ReadBytesAs(length), "error: incorrect length check");
}

TEST(GzipInput, NoticesEveryTruncation) {
  const std::string whole = Gzipped("some text");
  for (size_t bytes = 2; bytes < whole.size(); ++bytes) {
    EXPECT_TRUE(ReadBytesAs(whole.substr(0, bytes)).ends_with("error: truncated gzip input")) << bytes;
  }
}

TEST(GzipInput, NeverGivesADamagedTextForAWholeOne) {
  const std::string text = "some text, some more text";
  const std::string whole = Gzipped(text);
  constexpr size_t kHeaderBytes = 10;
  int noticed = 0;
  for (size_t bit = kHeaderBytes * 8; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const std::string read = ReadBytesAs(damaged);
    // The last bits before the checksum mean nothing.
    EXPECT_TRUE(read == text || read.find("error: ") != std::string::npos) << "bit " << bit;
    if (read != text) ++noticed;
  }
  EXPECT_GT(noticed, 100);
}

TEST(GzipInput, ReadsAPipeThatGivesByteByByte) {
  const std::string bytes = Gzipped("some text\n") + Gzipped("and more");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::jthread writer([&] {
    for (const char byte : bytes) EXPECT_EQ(::write(ends[1], &byte, 1), 1);
    ::close(ends[1]);
  });
  EXPECT_EQ(ReadDescriptor(ends[0]), "some text\nand more");
  ::close(ends[0]);
}

TEST(GzipInput, ReportsAFailingRead) { EXPECT_EQ(ReadDescriptor(-1), "error: read: Bad file descriptor"); }

}  // namespace
}  // namespace kindred::formats
