// Signature: equal if and only if its bytes are, and only canonical bytes are read back.

#include "index/hierarchy/signature.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/base/coding.h"
#include "index/base/limits.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kDataLoss;
using test::StatusIs;

std::string Encode(const Signature& signature) {
  std::string out;
  EncodeSignature(signature, out);
  return out;
}

Signature OfLabel(uint32_t label) { return {0, LabelId{label}, {}, {}}; }

Signature OfArms(Level level, uint32_t parent, std::vector<Arm> arms) {
  return {level, {}, ColourId{parent}, std::move(arms)};
}

void ExpectSame(const Signature& a, const Signature& b) {
  EXPECT_EQ(a.level, b.level);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.parent, b.parent);
  EXPECT_EQ(a.arms, b.arms);
}

TEST(Signature, ComesBackFromItsBytes) {
  const std::vector<Signature> signatures{
      OfLabel(0), OfLabel(UINT32_MAX), OfArms(1, 0, {}),
      OfArms(kDepthMax, UINT32_MAX, {{LabelId{0}, ColourId{5}}}),
      OfArms(2, 300, {{LabelId{0}, ColourId{5}}, {LabelId{0}, ColourId{5}}, {LabelId{1}, ColourId{4}}})};
  for (const Signature& signature : signatures) {
    const auto decoded = DecodeSignature(Encode(signature));
    ASSERT_THAT(decoded, IsOk());
    ExpectSame(*decoded, signature);
    EXPECT_EQ(SignatureLevel(Encode(signature)), signature.level);
  }
}

TEST(Signature, EncodingReplacesWhatTheBufferHeld) {
  std::string out = "left over";
  EncodeSignature(OfLabel(3), out);
  EXPECT_EQ(out, std::string("\0\x03", 2));
}

TEST(Signature, DifferentSignaturesHaveDifferentBytes) {
  std::vector<std::string> encoded;
  for (uint32_t a = 0; a < 300; a += 43) {
    encoded.push_back(Encode(OfLabel(a)));
    for (Level level = 1; level <= 3; ++level) {
      encoded.push_back(Encode(OfArms(level, a, {})));
      for (uint32_t b = 0; b < 300; b += 43) {
        encoded.push_back(Encode(OfArms(level, a, {{LabelId{0}, ColourId{b}}})));
        encoded.push_back(Encode(OfArms(level, a, {{LabelId{b + 1}, ColourId{0}}})));
        encoded.push_back(Encode(OfArms(level, a, {{LabelId{0}, ColourId{b}}, {LabelId{0}, ColourId{b}}})));
      }
    }
  }
  std::ranges::sort(encoded);
  EXPECT_EQ(std::ranges::adjacent_find(encoded), encoded.end());
}

TEST(SignatureRefusals, ArmsOutOfOrder) {
  EXPECT_THAT(DecodeSignature(Encode(OfArms(1, 0, {{LabelId{1}, ColourId{0}}, {LabelId{0}, ColourId{9}}}))),
              StatusIs(kDataLoss, ""));
  EXPECT_THAT(DecodeSignature(Encode(OfArms(1, 0, {{LabelId{1}, ColourId{2}}, {LabelId{1}, ColourId{1}}}))),
              StatusIs(kDataLoss, ""));
}

TEST(SignatureRefusals, NumbersWithMoreBytesThanTheyNeed) {
  EXPECT_THAT(DecodeSignature(std::string("\0\x80\0", 3)), StatusIs(kDataLoss, "canonical"));
  EXPECT_THAT(DecodeSignature(std::string("\x01\x05", 2)), IsOk());
  EXPECT_THAT(DecodeSignature(std::string("\x01\x85\0", 3)), StatusIs(kDataLoss, "canonical"));
  EXPECT_THAT(DecodeSignature(std::string("\x01\x05\x83\0\x01", 5)), StatusIs(kDataLoss, "canonical"));
}

TEST(SignatureRefusals, NothingAtAllAndALevelAlone) {
  EXPECT_THAT(DecodeSignature(""), StatusIs(kDataLoss, ""));
  EXPECT_THAT(DecodeSignature(std::string("\0", 1)), StatusIs(kDataLoss, ""));
  EXPECT_THAT(DecodeSignature("\x01"), StatusIs(kDataLoss, ""));
}

TEST(SignatureRefusals, BytesAfterALabel) {
  EXPECT_THAT(DecodeSignature(std::string("\0\x01\x01", 3)), StatusIs(kDataLoss, ""));
}

TEST(SignatureRefusals, HalfAnArm) { EXPECT_THAT(DecodeSignature("\x01\x02\x03"), StatusIs(kDataLoss, "")); }

TEST(SignatureRefusals, NumbersBeyond32Bits) {
  std::string label(1, '\0');
  AppendVarint(label, uint64_t{1} << 32);
  EXPECT_THAT(DecodeSignature(label), StatusIs(kDataLoss, ""));
}

TEST(SignatureRefusals, LevelBeyondTheDeepest) {
  EXPECT_THAT(DecodeSignature(Encode(OfArms(kDepthMax, 1, {}))), IsOk());
  EXPECT_THAT(DecodeSignature(Encode(OfArms(kDepthMax + 1, 1, {}))), StatusIs(kDataLoss, ""));
  EXPECT_THAT(DecodeSignature("\xff\x01"), StatusIs(kDataLoss, ""));
}

// Whatever the bytes: refused, or exactly what EncodeSignature writes for what was read.
TEST(SignatureRefusals, RandomBytesAreRefusedOrCanonical) {
  constexpr uint64_t kSeed = 11;
  test::Rng rng(kSeed);
  int taken = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string bytes(test::Below(rng, 10), '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(test::Below(rng, 4) == 0 ? rng() : test::Below(rng, 4));
    }
    const auto decoded = DecodeSignature(bytes);
    if (decoded.ok()) {
      ++taken;
      ASSERT_EQ(Encode(*decoded), bytes) << "seed " << kSeed << " round " << round;
    } else {
      ASSERT_EQ(decoded.status().code(), kDataLoss);
    }
  }
  EXPECT_GT(taken, 1'000);
}

}  // namespace
}  // namespace kindred
