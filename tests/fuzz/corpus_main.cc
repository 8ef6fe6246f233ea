// Writes the seeds of every target as files, DIRECTORY/TARGET/seed-N: fuzz_corpus tests/fuzz/corpus

#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/fuzz/target.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: fuzz_corpus DIRECTORY\n";
    return 64;
  }
  for (const kindred::fuzz::Target& target : kindred::fuzz::AllTargets()) {
    const std::filesystem::path directory = std::filesystem::path(argv[1]) / target.name;
    std::filesystem::create_directories(directory);
    int number = 0;
    for (const std::string& seed : target.seeds()) {
      std::ofstream(directory / ("seed-" + std::to_string(++number)), std::ios::binary) << seed;
    }
    std::cout << target.name << ": " << number << "\n";
  }
  return 0;
}
