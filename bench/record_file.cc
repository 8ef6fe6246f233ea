#include "bench/record_file.h"

#include <fstream>

#include "daemon/convert.h"
#include "index/base/check.h"

namespace kindred::bench {

Records::Records(MoleculeSource& source, uint64_t count_max, const std::string& cache) {
  if (!cache.empty() && Load(cache, count_max)) {
    return;
  }
  while (bytes_.size() < count_max) {
    const auto record = source.Next();
    if (!record) {
      break;
    }
    bytes_.push_back(daemon::ToProto(*record, "").SerializeAsString());
  }
  if (cache.empty()) {
    return;
  }
  std::ofstream file(cache, std::ios::binary);
  for (const std::string& record : bytes_) {
    const auto size = static_cast<uint32_t>(record.size());
    file.write(reinterpret_cast<const char*>(&size), sizeof(size));
    file.write(record.data(), size);
  }
}

bool Records::Load(const std::string& cache, uint64_t count_max) {
  std::ifstream file(cache, std::ios::binary);
  uint32_t size = 0;
  while (bytes_.size() < count_max && file.read(reinterpret_cast<char*>(&size), sizeof(size))) {
    std::string& record = bytes_.emplace_back(size, '\0');
    KINDRED_CHECK(!file.read(record.data(), size).fail());
  }
  return !bytes_.empty();
}

v1::Record Records::at(size_t i) const {
  v1::Record record;
  KINDRED_CHECK(record.ParseFromString(bytes_[i]));
  return record;
}

}  // namespace kindred::bench
