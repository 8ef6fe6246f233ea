// Tables, and the text that goes into them.

#include "client/cli/table.h"

#include <cstdlib>
#include <limits>

#include "client/cli/progress.h"
#include "client/cli/text.h"
#include "gtest/gtest.h"

namespace kindred::cli {
namespace {

TEST(TableTest, AlignsColumnsAndLeavesNoSpacesAtTheEnd) {
  Table table({{"rank", Align::kRight}, {"id"}, {"similarity", Align::kRight}, {"payload"}});
  table.AddRow({"1", "caffeine", "1.0000", "CN1C=NC2"});
  table.AddRow({"10", "x", "0.5", ""});
  EXPECT_EQ(table.Render(false),
            "rank  id        similarity  payload\n"
            "   1  caffeine      1.0000  CN1C=NC2\n"
            "  10  x                0.5\n");
}

TEST(TableTest, MeasuresWhatATerminalShowsNotBytes) {
  Table table({{"id"}, {"n", Align::kRight}});
  table.AddRow({"é", "1"});        // Two bytes, one column.
  table.AddRow({"e\u0301", "2"});  // A letter and a combining accent.
  table.AddRow({"咖啡", "3"});     // Two columns each.
  table.AddRow({"abcd", "4"});
  EXPECT_EQ(table.Render(false),
            "id    n\n"
            "é     1\n"
            "e\u0301     2\n"
            "咖啡  3\n"
            "abcd  4\n");
}

TEST(TableTest, CutsNothingOff) {
  const std::string id(1000, 'x');
  Table table({{"id"}, {"n"}});
  table.AddRow({id, "1"});
  EXPECT_NE(table.Render(false).find(id + "  1"), std::string::npos);
}

TEST(TableTest, HasNoLineOfTitlesWithoutTitles) {
  Table table({{""}, {"", Align::kRight}});
  table.AddRow({"graphs", "12"});
  table.AddRow({"depth", "3"});
  EXPECT_EQ(table.Render(true), "graphs  12\ndepth    3\n");
}

TEST(TableTest, ColoursTheTitlesOnlyWhenAsked) {
  Table table({{"id"}});
  table.AddRow({"a"});
  EXPECT_EQ(table.Render(true), "\x1b[1mid\x1b[0m\na\n");
}

TEST(TableTest, LetsNoCommandReachTheTerminal) {
  Table table({{"id"}, {"n"}});
  table.AddRow({"\x1b[2J\n", "1"});
  EXPECT_EQ(table.Render(false), "id           n\n\\x1b[2J\\x0a  1\n");
}

TEST(TextTest, EscapesControlCharactersAndWhatIsNotUtf8) {
  EXPECT_EQ(Printable("C[N+](=O)é"), "C[N+](=O)é");
  EXPECT_EQ(Printable("a\tb\x7f"), "a\\x09b\\x7f");
  EXPECT_EQ(Printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(Printable("\u009b"), "\\xc2\\x9b");  // The one-character form of ESC [.
  EXPECT_EQ(Printable(std::string_view("\0x", 2)), "\\x00x");
  EXPECT_TRUE(IsPrintable("咖啡"));
  EXPECT_FALSE(IsPrintable("a\nb"));
}

TEST(TextTest, PrintsWholeNumbersWholeAndOthersExactly) {
  EXPECT_EQ(FormatNumber(68), "68");
  EXPECT_EQ(FormatNumber(0), "0");
  EXPECT_EQ(FormatNumber(-3), "-3");
  EXPECT_EQ(FormatNumber(100000), "100000");
  EXPECT_EQ(FormatNumber(9007199254740992.0), "9007199254740992");
  EXPECT_EQ(FormatNumber(0.1), "0.1");
  EXPECT_EQ(FormatNumber(31.5), "31.5");
  for (const double value : {1.0 / 3, 2.0 / 7, 1e300, 5e-324, std::numeric_limits<double>::max()}) {
    EXPECT_EQ(std::strtod(FormatNumber(value).c_str(), nullptr), value);
  }
}

TEST(TextTest, PrintsBytesInTheUnitThatFits) {
  EXPECT_EQ(FormatBytes(0), "0 bytes");
  EXPECT_EQ(FormatBytes(1023), "1023 bytes");
  EXPECT_EQ(FormatBytes(1536), "1.5 KiB");
  EXPECT_EQ(FormatBytes(uint64_t{20} << 30), "20.0 GiB");
  EXPECT_EQ(FormatBytes(std::numeric_limits<uint64_t>::max()), "16.0 EiB");
}

TEST(ProgressTest, TellsCountRateAndTime) {
  using std::chrono::milliseconds;
  EXPECT_EQ(ProgressLine(8510, "records", milliseconds(10'000)), "8510 records  851/s  0:10");
  EXPECT_EQ(ProgressLine(0, "rows", milliseconds(0)), "0 rows  0/s  0:00");
  EXPECT_EQ(ProgressLine(1, "rows", milliseconds(3'723'000)), "1 rows  0/s  1:02:03");
}

}  // namespace
}  // namespace kindred::cli
