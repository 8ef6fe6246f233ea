#include "client/formats/input_stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <random>

#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

constexpr Compression kCompressions[] = {Compression::kNone, Compression::kGzip, Compression::kXz,
                                         Compression::kZstd, Compression::kBzip2};

// "3:the text" or "3!the error".
std::vector<std::string> Lines(InputStream& input) {
  std::vector<std::string> lines;
  while (const std::optional<Line> line = input.NextLine()) {
    lines.push_back(line->text.ok() ? fmt::format("{}:{}", line->number, *line->text)
                                    : fmt::format("{}!{}", line->number, Message(line->text.status())));
  }
  EXPECT_FALSE(input.NextLine().has_value()) << "the end must stay the end";
  return lines;
}

std::vector<std::string> Lines(const std::string& path) {
  const absl::StatusOr<std::unique_ptr<InputStream>> input = InputStream::Open(path);
  EXPECT_TRUE(input.ok()) << input.status();
  return input.ok() ? Lines(**input) : std::vector<std::string>();
}

std::vector<std::string> LinesOf(std::string_view text) {
  const TestFiles files;
  return Lines(files.Write("text", text));
}

// Hardly compressible, so that a cut file is cut in the midst of the data.
std::string NumberedLines(int count) {
  std::mt19937_64 random(1);
  std::string text;
  for (int i = 1; i <= count; ++i) text += fmt::format("{} {:x}{:x}\n", i, random(), random());
  return text;
}

using Strings = std::vector<std::string>;

TEST(InputStream, GivesLinesWithTheirNumbers) {
  EXPECT_EQ(LinesOf("a\nb\n\nc\n"), (Strings{"1:a", "2:b", "3:", "4:c"}));
}

TEST(InputStream, HasNoLinesWhenEmpty) {
  EXPECT_EQ(LinesOf(""), Strings{});
  const TestFiles files;
  EXPECT_EQ(Lines(files.WriteCompressed("empty.gz", Compression::kGzip, "")), Strings{});
}

TEST(InputStream, TakesALastLineWithoutEnd) { EXPECT_EQ(LinesOf("a\nb"), (Strings{"1:a", "2:b"})); }

TEST(InputStream, DropsTheCarriageReturnOfALineEnd) {
  EXPECT_EQ(LinesOf("a\r\n\r\nb\rc\r\nd\r"), (Strings{"1:a", "2:", "3:b\rc", "4:d"}));
}

TEST(InputStream, DropsAByteOrderMarkBeforeTheFirstLine) {
  EXPECT_EQ(LinesOf("\xEF\xBB\xBF"
                    "a\n\xEF\xBB\xBF"
                    "b"),
            (Strings{"1:a",
                     "2:\xEF\xBB\xBF"
                     "b"}));
}

TEST(InputStream, KeepsBytesThatAreNotText) {
  EXPECT_EQ(LinesOf(std::string_view("a\0b\n\xFF", 5)), (Strings{std::string("1:a\0b", 5), "2:\xFF"}));
}

TEST(InputStream, ReadsEveryCompressionByContent) {
  const TestFiles files;
  const std::string text = NumberedLines(20'000);
  const Strings lines = LinesOf(text);
  ASSERT_EQ(lines.size(), 20'000U);
  for (const Compression compression : kCompressions) {
    EXPECT_EQ(Lines(files.WriteCompressed("misleading.txt", compression, text)), lines);
  }
}

TEST(InputStream, ReadsCompressedFilesPutTogether) {
  const TestFiles files;
  for (const Compression compression : kCompressions) {
    const std::string one = ReadBytes(files.WriteCompressed("one", compression, "a\nb"));
    const std::string two = ReadBytes(files.WriteCompressed("two", compression, "c\nd\n"));
    EXPECT_EQ(Lines(files.Write("both", one + two)), (Strings{"1:a", "2:bc", "3:d"}))
        << static_cast<int>(compression);
  }
}

TEST(InputStream, ReportsATruncatedFileAtItsLineAndEnds) {
  const TestFiles files;
  const Strings lines = LinesOf(NumberedLines(20'000));
  for (const Compression compression : {Compression::kGzip, Compression::kXz, Compression::kZstd}) {
    const std::string whole = ReadBytes(files.WriteCompressed("whole", compression, NumberedLines(20'000)));
    for (const size_t missing_bytes : {size_t{1}, size_t{7}, size_t{30}, whole.size() / 2}) {
      SCOPED_TRACE(
          fmt::format("compression {}, {} bytes missing", static_cast<int>(compression), missing_bytes));
      const Strings read = Lines(files.Write("cut", whole.substr(0, whole.size() - missing_bytes)));
      ASSERT_FALSE(read.empty());
      ASSERT_LE(read.size(), lines.size() + 1);
      for (size_t i = 0; i + 1 < read.size(); ++i) ASSERT_EQ(read[i], lines[i]);
      EXPECT_TRUE(read.back().starts_with(fmt::format("{}!cannot read '{}'", read.size(), files.Path("cut"))))
          << read.back();
    }
  }
}

TEST(InputStream, CannotBeOpenedWhenTheFirstBlockIsTruncated) {
  const TestFiles files;
  for (const Compression compression :
       {Compression::kGzip, Compression::kXz, Compression::kZstd, Compression::kBzip2}) {
    const std::string whole = ReadBytes(files.WriteCompressed("whole", compression, "a\nb\n"));
    const auto input = InputStream::Open(files.Write("cut", whole.substr(0, whole.size() - 9)));
    EXPECT_EQ(input.status().code(), absl::StatusCode::kDataLoss) << input.status();
  }
}

TEST(InputStream, ReportsDamagedData) {
  const TestFiles files;
  std::string bytes = ReadBytes(files.WriteCompressed("x", Compression::kXz, NumberedLines(20'000)));
  bytes[bytes.size() / 2] ^= 0x10;
  const Strings read = Lines(files.Write("damaged", bytes));
  ASSERT_FALSE(read.empty());
  EXPECT_NE(read.back().find("!cannot read"), std::string::npos) << read.back();
}

TEST(InputStream, TakesALineOfTheGreatestLength) {
  const std::string longest(kLineBytesMax, 'x');
  EXPECT_EQ(LinesOf(longest + "\r\n" + longest), (Strings{"1:" + longest, "2:" + longest}));
}

TEST(InputStream, ReportsALineTooLongAndGoesOn) {
  const std::string problem = fmt::format("line is longer than {} bytes", kLineBytesMax);
  const std::string too_long(kLineBytesMax + 1, 'x');
  EXPECT_EQ(LinesOf("a\n" + too_long + "\nb\n"), (Strings{"1:a", "2!" + problem, "3:b"}));
  EXPECT_EQ(LinesOf(too_long + too_long + too_long + "\r\nb\n" + too_long + too_long),
            (Strings{"1!" + problem, "2:b", "3!" + problem}));
}

TEST(InputStream, RefusesAnArchiveOfFiles) {
  const TestFiles files;
  const std::string path = files.WriteArchive("x.smi", Container::kTar, Compression::kNone, {{"a.smi", "C"}});
  EXPECT_EQ(Message(InputStream::Open(path).status()),
            "'" + path + "' is an archive of files: from an archive only a TU data set is read");
}

TEST(InputStream, PeeksWithoutTakingAnything) {
  const TestFiles files;
  const auto input = InputStream::Open(files.Write("x", "\xEF\xBB\xBF \n\t\n  {\"a\"}\nb"));
  ASSERT_TRUE(input.ok());
  EXPECT_TRUE((*input)->Peek().starts_with("{\"a\"}"));
  EXPECT_EQ(Lines(**input), (Strings{"1: ", "2:\t", "3:  {\"a\"}", "4:b"}));
}

TEST(InputStream, PeeksAtNothingInABlankFile) {
  const TestFiles files;
  const auto input = InputStream::Open(files.Write("x", " \n\n"));
  ASSERT_TRUE(input.ok());
  EXPECT_EQ((*input)->Peek(), "");
  EXPECT_EQ(Lines(**input), (Strings{"1: ", "2:"}));
}

TEST(InputStream, LeavesAnErrorMetWhilePeekingToTheLines) {
  const TestFiles files;
  const std::string whole =
      ReadBytes(files.WriteCompressed("whole", Compression::kGzip, std::string(1'000'000, '\n')));
  const auto input = InputStream::Open(files.Write("cut", whole.substr(0, whole.size() / 2)));
  ASSERT_TRUE(input.ok());
  EXPECT_EQ((*input)->Peek(), "");
  const Strings lines = Lines(**input);
  ASSERT_GT(lines.size(), 1U);
  EXPECT_EQ(lines.front(), "1:");
  EXPECT_EQ(lines.back(),
            fmt::format("{}!cannot read '{}': truncated gzip input", lines.size(), files.Path("cut")));
}

TEST(InputStream, ReadsStandardInput) {
  const TestFiles files;
  const std::string path = files.WriteCompressed("x", Compression::kZstd, "a\nb\n");
  const StandardInput standard_input(::open(path.c_str(), O_RDONLY));
  EXPECT_EQ(Lines("-"), (Strings{"1:a", "2:b"}));
}

TEST(InputStream, IsReadyOnAPipeOnlyWhileLinesAreThere) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const StandardInput standard_input(ends[0]);
  const std::string text = std::string(600, 'x') + "\ny\nz";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  const auto input = InputStream::Open("-");
  ASSERT_TRUE(input.ok());
  EXPECT_EQ((*input)->NextLine()->text->size(), 600U);
  EXPECT_TRUE((*input)->Ready());
  EXPECT_EQ(*(*input)->NextLine()->text, "y");
  EXPECT_FALSE((*input)->Ready());
  ::close(ends[1]);
  EXPECT_TRUE((*input)->Ready());
  EXPECT_EQ(*(*input)->NextLine()->text, "z");
  EXPECT_FALSE((*input)->NextLine().has_value());
}

}  // namespace
}  // namespace kindred::formats
