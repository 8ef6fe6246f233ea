#include "tests/support/paths.h"

namespace kindred::test {

std::filesystem::path SourceDir() { return KINDRED_SOURCE_DIR; }
std::filesystem::path BinaryDir() { return KINDRED_BINARY_DIR; }
std::string KindreddPath() { return BinaryDir() / "daemon" / "kindredd"; }
std::string KindredPath() { return BinaryDir() / "client" / "cli" / "kindred"; }

}  // namespace kindred::test
