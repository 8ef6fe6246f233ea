// What fuzzing found, and a little of what it does: every target over its corpus, and over mutations of that
// from a fixed seed. KINDRED_SEED and KINDRED_MUTATIONS (of each target) change how many and which.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "tests/crash/rounds.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target.h"
#include "tests/support/paths.h"

namespace kindred::fuzz {

void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Escaped(std::string_view bytes) {
  std::string shown;
  for (const char c : bytes.substr(0, 2'000)) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr std::string_view kDigits = "0123456789abcdef";
    shown += byte >= ' ' && byte < 127 && c != '\\'
                 ? std::string(1, c)
                 : std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
  }
  return shown;
}

class Replay : public ::testing::TestWithParam<Target> {
 protected:
  static void Run(std::string_view bytes) {
    try {
      GetParam().run(bytes);
    } catch (const std::exception& broken) {
      ADD_FAILURE() << broken.what() << "\nwith the bytes " << Escaped(bytes);
    }
  }

  static std::vector<std::string> Corpus() {
    std::vector<fs::path> files;
    const fs::path directory = test::SourceDir() / "tests/fuzz/corpus" / GetParam().name;
    if (fs::exists(directory)) {
      for (const auto& file : fs::directory_iterator(directory)) {
        files.push_back(file.path());
      }
    }
    std::ranges::sort(files);
    std::vector<std::string> corpus;
    for (const fs::path& file : files) {
      corpus.push_back(ReadFile(file));
    }
    return corpus;
  }
};

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, ::testing::ValuesIn(AllTargets()),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(Replay, EveryInputOfTheCorpusKeepsThePromises) {
  const std::vector<std::string> corpus = Corpus();
  ASSERT_FALSE(corpus.empty()) << "run fuzz_corpus";
  for (const std::string& bytes : corpus) {
    Run(bytes);
    ASSERT_FALSE(HasFailure());
  }
}

// The seeds are what is written today: what reads them has kept up.
TEST_P(Replay, WhatIsWrittenTodayKeepsThePromises) {
  for (const std::string& bytes : GetParam().seeds()) {
    Run(bytes);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(Replay, MutationsKeepThePromises) {
  const uint64_t seed = test::SeedOr(20'261);
  const uint64_t mutations = test::Rounds("KINDRED_MUTATIONS", static_cast<uint64_t>(GetParam().mutations));
  std::cout << "seed " << seed << ", " << mutations << " mutations" << std::endl;
  std::vector<std::string> inputs = Corpus();
  for (std::string& bytes : GetParam().seeds()) {
    inputs.push_back(std::move(bytes));
  }
  Mutator mutator(seed);
  for (uint64_t i = 0; i < mutations; ++i) {
    Run(mutator.Next(inputs));
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ", mutation " << i;
  }
}

}  // namespace
}  // namespace kindred::fuzz
