// The manifest of a backup: the form in docs/formats.md, and that nothing else is taken for one.

#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "index/store/backup_manifest.h"
#include "index/store/checksum.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

BackupManifest Example() {
  BackupManifest manifest;
  manifest.created = "2026-11-17T23:05:26Z";
  for (size_t i = 0; i < manifest.identity.size(); ++i) {
    manifest.identity[i] = static_cast<char>(i * 17);
  }
  manifest.sequence = CommitSequence{12};
  manifest.totals = {{10, 0xfedcba9876543210}, 3, 20};
  manifest.files = {{"db/000012.sst", {1234, 0x0123456789abcdef}, "6474DF650323BDF0B48E64F3039308CA"},
                    {"db/CURRENT", {16, 5}, ""},
                    {"witness", {8192, 0xff}, ""}};
  return manifest;
}

const std::string kExampleBody =
    "kindred backup 1\n"
    "created 2026-11-17T23:05:26Z\n"
    "identity 00112233445566778899aabbccddeeff\n"
    "sequence 12\n"
    "graphs 10 fedcba9876543210\n"
    "labels 3\n"
    "colours 20\n"
    "file 1234 0123456789abcdef 6474DF650323BDF0B48E64F3039308CA db/000012.sst\n"
    "file 16 0000000000000005 - db/CURRENT\n"
    "file 8192 00000000000000ff - witness\n";

std::string WithChecksum(const std::string& body) {
  return body + fmt::format("checksum {:016x}\n", Checksum(body));
}

TEST(BackupManifest, HasTheDocumentedForm) {
  EXPECT_EQ(EncodeManifest(Example()), WithChecksum(kExampleBody));
  EXPECT_EQ(Must(DecodeManifest(WithChecksum(kExampleBody))), Example());
  EXPECT_EQ(Example().bytes(), 1234u + 16 + 8192);
}

TEST(BackupManifest, EveryChangedByteIsNoticed) {
  const std::string text = EncodeManifest(Example());
  for (size_t at = 0; at < text.size(); ++at) {
    for (const char other : {'\0', ' ', '\n', '0', 'f', '/'}) {
      std::string changed = text;
      changed[at] = other;
      if (changed != text) {
        EXPECT_THAT(DecodeManifest(changed).status(), StatusIs(kDataLoss, "manifest")) << at;
      }
    }
  }
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_THAT(DecodeManifest(text.substr(0, length)).status(), StatusIs(kDataLoss, "manifest")) << length;
  }
  EXPECT_THAT(DecodeManifest(text + "x").status(), StatusIs(kDataLoss, "manifest"));
}

TEST(BackupManifest, NoNameLeadsOutOfTheBackup) {
  for (const std::string name : {"db/../../etc/passwd", "/etc/passwd", "db/", "db", "db/.", "db/..", "db/a/b",
                                 "witness/x", "", "db/a b"}) {
    std::string body = kExampleBody;
    body.replace(body.find("db/CURRENT"), 10, name);
    EXPECT_THAT(DecodeManifest(WithChecksum(body)).status(), StatusIs(kDataLoss, "manifest")) << name;
  }
}

}  // namespace
}  // namespace kindred::test
