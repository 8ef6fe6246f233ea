// The file of tokens: what it may hold, what is refused, and that nothing of it is shown.

#include "daemon/edge/token_table.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kindred::daemon {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// printf %s one | sha256sum, and so on.
constexpr const char* kHashOfOne = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
constexpr const char* kHashOfTest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

std::string Message(const std::string& text) {
  const auto table = TokenTable::Parse(text, "tokens");
  EXPECT_EQ(table.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(table.status().message());
}

TEST(TokenTable, FindsATokenByItsHash) {
  const auto table = TokenTable::Parse(std::string("# people\n\nalice\tread-only ") + kHashOfOne +
                                           "\r\n  bob admin " + kHashOfTest + " # the boss",
                                       "tokens");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->size(), 2);
  const TokenTable::Token* const bob = table->Find("test");
  ASSERT_NE(bob, nullptr);
  EXPECT_EQ(bob->name, "bob");
  EXPECT_EQ(bob->role, Role::kAdmin);
  for (const char* const wrong : {"", "Test", "test ", "tes", kHashOfTest, kHashOfOne, "bob"}) {
    EXPECT_EQ(table->Find(wrong), nullptr) << wrong;
  }
}

TEST(TokenTable, ANameMayHaveSeveralTokens) {
  const auto table = TokenTable::Parse(
      std::string("a admin ") + kHashOfOne + "\na read-write " + kHashOfTest + "\n", "tokens");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->Find("test")->role, Role::kReadWrite);
}

TEST(TokenTable, AnEmptyFileKnowsNobody) {
  const auto table = TokenTable::Parse("# nobody yet\n", "tokens");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->Find(""), nullptr);
}

TEST(TokenTable, RefusesLinesThatAreNoneAndShowsNothingOfThem) {
  const std::string hash = kHashOfTest;
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"hunter2", "is not NAME ROLE SHA256"},
      {"a hunter2", "is not NAME ROLE SHA256"},
      {"a admin " + hash + " hunter2", "is not NAME ROLE SHA256"},
      {"a/hunter2 admin " + hash, "the name has to be"},
      {std::string(65, 'a') + " admin " + hash, "the name has to be"},
      {"a hunter2 " + hash, "the role has to be read-only, read-write or admin"},
      {"a Admin " + hash, "the role has to be"},
      {"a admin hunter2", "the hash has to be 64 hexadecimal digits"},
      {"a admin " + hash.substr(1), "the hash has to be"},
      {"a admin g" + hash.substr(1), "the hash has to be"},
      {"a admin " + hash + "\nb admin " + hash, "tokens:3: the hash stands there twice"},
  };
  for (const auto& [line, message] : wrong) {
    const std::string said = Message("# first\n" + line + "\n");
    EXPECT_THAT(said, HasSubstr(message)) << line;
    EXPECT_THAT(said, testing::StartsWith("tokens:")) << line;
    EXPECT_THAT(said, Not(HasSubstr("hunter2")));
    EXPECT_THAT(said, Not(HasSubstr(hash.substr(0, 8))));
  }
}

TEST(TokenTable, TakesSoManyTokensAndNoMore) {
  std::string text;
  for (size_t i = 0; i < TokenTable::kTokensMax; ++i) {
    text += fmt::format("a admin {:064x}\n", i);
  }
  EXPECT_TRUE(TokenTable::Parse(text, "tokens").ok());
  EXPECT_THAT(Message(text + "a admin " + kHashOfTest), HasSubstr("there are more than 1024 tokens"));
}

TEST(TokenTable, HashesNoTokenThatIsTooLong) {
  // Of 512 and of 513 times x.
  const auto table = TokenTable::Parse(
      "a admin 64164443bb63e338ef1cfdb12a57117cd1212270cc935a798f6e8a665cdf4659\n"
      "a admin 35ade0090e64e74d6ad04204009c23a4e34b82bdf0f4f317fbcc5f26f9b10241\n",
      "tokens");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_NE(table->Find(std::string(TokenTable::kTokenBytesMax, 'x')), nullptr);
  EXPECT_EQ(table->Find(std::string(TokenTable::kTokenBytesMax + 1, 'x')), nullptr);
}

}  // namespace
}  // namespace kindred::daemon
