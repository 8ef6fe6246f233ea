#include "client/formats/record_check.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

TEST(IsUtf8, TakesTextOfOneToFourBytesACharacter) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("caffeine"));
  EXPECT_TRUE(IsUtf8("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xF4\x8F\xBF\xBF"));
  EXPECT_TRUE(IsUtf8(std::string(3, '\0')));
}

TEST(IsUtf8, RefusesWhatIsNotWellFormed) {
  EXPECT_FALSE(IsUtf8("\xFF"));
  EXPECT_FALSE(IsUtf8("\x80")) << "a continuation alone";
  EXPECT_FALSE(IsUtf8("\xE2\x82")) << "cut off";
  EXPECT_FALSE(IsUtf8("\xE2\x28\xA1")) << "no continuation";
  EXPECT_FALSE(IsUtf8("\xC0\xAF")) << "overlong";
  EXPECT_FALSE(IsUtf8("\xE0\x80\xAF")) << "overlong";
  EXPECT_FALSE(IsUtf8("\xED\xA0\x80")) << "surrogate";
  EXPECT_FALSE(IsUtf8("\xF4\x90\x80\x80")) << "beyond U+10FFFF";
}

TEST(CheckId, TakesOneToFiveHundredTwelveBytes) {
  EXPECT_TRUE(CheckId("x").ok());
  EXPECT_TRUE(CheckId(std::string(512, 'x')).ok());
}

TEST(CheckId, RefusesAnEmptyId) { EXPECT_EQ(Message(CheckId("")), "id: is empty"); }

TEST(CheckId, RefusesAnIdTooLong) {
  EXPECT_EQ(Message(CheckId(std::string(513, 'x'))), "id: has 513 bytes; at most 512");
}

TEST(CheckId, RefusesAnIdThatIsNotUtf8) { EXPECT_EQ(Message(CheckId("a\xFF")), "id: is not UTF-8"); }

}  // namespace
}  // namespace kindred::formats
