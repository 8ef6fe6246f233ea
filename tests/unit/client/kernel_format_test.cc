#include "client/cli/kernel_format.h"

#include "gtest/gtest.h"

namespace kindred::cli {
namespace {

v1::KernelRow Row() {
  v1::KernelRow row;
  row.set_index(1);
  row.set_id("b,\"c\"");
  row.set_tag("-1");
  row.add_values(68);
  row.add_values(0.25);
  row.add_values(100000);
  return row;
}

TEST(KernelFormatTest, WritesLibsvmRowsCountedFromOne) {
  v1::KernelRow row = Row();
  EXPECT_EQ(*FormatRow(row, KernelFormat::kLibsvm), "-1 0:2 1:68 2:0.25 3:100000\n");
  row.clear_tag();
  EXPECT_EQ(*FormatRow(row, KernelFormat::kLibsvm), "0 0:2 1:68 2:0.25 3:100000\n");
}

TEST(KernelFormatTest, RefusesAClassThatIsNotOneWord) {
  v1::KernelRow row = Row();
  row.set_tag("not mutagenic");
  EXPECT_EQ(FormatRow(row, KernelFormat::kLibsvm).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(KernelFormatTest, QuotesCsvFieldsThatNeedIt) {
  EXPECT_EQ(*FormatRow(Row(), KernelFormat::kCsv), "\"b,\"\"c\"\"\",68,0.25,100000\n");
  EXPECT_EQ(CsvHeader({"a", "b,c", "d\ne", ""}), "id,a,\"b,c\",\"d\ne\",\n");
}

TEST(KernelFormatTest, WritesJsonRows) {
  EXPECT_EQ(*FormatRow(Row(), KernelFormat::kJsonLines),
            R"({"id":"b,\"c\"","class":"-1","values":[68,0.25,100000]})"
            "\n");
}

}  // namespace
}  // namespace kindred::cli
