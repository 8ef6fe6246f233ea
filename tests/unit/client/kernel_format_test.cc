#include "client/cli/kernel_format.h"

#include <array>
#include <cstring>

#include "gtest/gtest.h"

namespace kindred::cli {
namespace {

constexpr std::array kValues{68.0, 0.25, 100000.0};

MatrixRow Row() { return {1, "b,\"c\"", "-1", kValues}; }

TEST(KernelFormatTest, WritesLibsvmRowsCountedFromOne) {
  MatrixRow row = Row();
  EXPECT_EQ(*FormatRow(row, KernelFormat::kLibsvm), "-1 0:2 1:68 2:0.25 3:100000\n");
  row.tag = "";
  EXPECT_EQ(*FormatRow(row, KernelFormat::kLibsvm), "0 0:2 1:68 2:0.25 3:100000\n");
}

TEST(KernelFormatTest, RefusesAClassThatIsNotOneWord) {
  MatrixRow row = Row();
  row.tag = "not mutagenic";
  EXPECT_EQ(FormatRow(row, KernelFormat::kLibsvm).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(KernelFormatTest, QuotesCsvFieldsThatNeedIt) {
  EXPECT_EQ(*FormatRow(Row(), KernelFormat::kCsv), "\"b,\"\"c\"\"\",68,0.25,100000\n");
  EXPECT_EQ(CsvHeader({"a", "b,c", "d\ne", ""}), "id,a,\"b,c\",\"d\ne\",\n");
}

// NEP 1 (NumPy): magic, version, length of the fields, fields that end at a multiple of 64.
TEST(KernelFormatTest, NpyHeadersAreAsNumPyReadsThem) {
  for (const uint64_t rows : {0u, 9u, 10u, 99999u, 1000000u}) {
    const std::string header = NpyHeader(rows);
    EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    EXPECT_EQ(header.size() % 64, 0u) << rows;
    const size_t length =
        static_cast<unsigned char>(header[8]) + 256u * static_cast<unsigned char>(header[9]);
    EXPECT_EQ(header.size(), 10 + length);
    EXPECT_EQ(header.back(), '\n');
    EXPECT_NE(header.find("'shape': (" + std::to_string(rows) + ", " + std::to_string(rows) + ")"),
              std::string::npos);
  }
}

TEST(KernelFormatTest, NpyRowsAreTheDoublesThemselves) {
  const std::string bytes = *FormatRow(Row(), KernelFormat::kNpy);
  ASSERT_EQ(bytes.size(), sizeof(kValues));
  EXPECT_EQ(std::memcmp(bytes.data(), kValues.data(), bytes.size()), 0);
}

TEST(KernelFormatTest, WritesJsonRows) {
  EXPECT_EQ(*FormatRow(Row(), KernelFormat::kJsonLines),
            R"({"id":"b,\"c\"","class":"-1","values":[68,0.25,100000]})"
            "\n");
}

}  // namespace
}  // namespace kindred::cli
