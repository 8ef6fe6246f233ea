#include "index/store/rocks_log.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace kindred {
namespace {

// A longer line is cut off.
constexpr size_t kLineBytesMax = 2048;

class RocksLog : public rocksdb::Logger {
 public:
  explicit RocksLog(const std::string& file)
      : Logger(rocksdb::InfoLogLevel::WARN_LEVEL), file_(std::fopen(file.c_str(), "we")) {}
  ~RocksLog() override {
    if (file_ != nullptr) {
      std::fclose(file_);
    }
  }
  RocksLog(const RocksLog&) = delete;
  RocksLog& operator=(const RocksLog&) = delete;

  // Every option of every family, at every start.
  void LogHeader(const char* /*format*/, va_list /*arguments*/) override {}

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    if (file_ == nullptr) {
      return;
    }
    std::array<char, kLineBytesMax> line;
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    const size_t time = std::strftime(line.data(), line.size(), "%FT%TZ ", gmtime_r(&now, &utc));
    std::vsnprintf(line.data() + time, line.size() - time, format, arguments);
    // What the disk does not take is lost.
    std::fprintf(file_, "%s\n", line.data());
    std::fflush(file_);
  }

 private:
  std::FILE* const file_;
};

}  // namespace

std::shared_ptr<rocksdb::Logger> OpenRocksLog(const std::string& file) {
  std::error_code ignored;
  std::filesystem::rename(file, file + ".old", ignored);
  return std::make_shared<RocksLog>(file);
}

}  // namespace kindred
