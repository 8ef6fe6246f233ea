#include "daemon/edge/secrets.h"

#include <sys/stat.h>

#include <chrono>
#include <utility>

#include "index/base/status.h"
#include "spdlog/spdlog.h"

namespace kindred::daemon {
namespace {

constexpr std::chrono::seconds kLookEvery{1};
constexpr size_t kTokenFileBytesMax = 1 << 20;

// What changes when a file is written, or another takes its place, be it behind a symbolic link.
std::string StampOf(const std::string& path) {
  struct stat info {};
  if (path.empty() || ::stat(path.c_str(), &info) != 0) {
    return "-";
  }
  return fmt::format("{} {} {} {}.{:09} ", info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec,
                     info.st_mtim.tv_nsec);
}

std::string StampOf(const TlsPaths& paths) {
  return StampOf(paths.certificate) + StampOf(paths.key) + StampOf(paths.client_ca);
}

absl::StatusOr<std::shared_ptr<const TokenTable>> ReadTokenFile(const std::string& path) {
  KINDRED_ASSIGN_OR_RETURN(const std::string text, ReadSmallFile(path, kTokenFileBytesMax));
  KINDRED_ASSIGN_OR_RETURN(TokenTable table, TokenTable::Parse(text, path));
  return std::make_shared<const TokenTable>(std::move(table));
}

}  // namespace

absl::StatusOr<Secrets::Contents> Secrets::Read(const EdgeConfig& config) {
  Contents contents;
  if (config.has_tokens()) {
    KINDRED_ASSIGN_OR_RETURN(contents.tokens, ReadTokenFile(config.token_file));
  }
  if (config.has_tls()) {
    KINDRED_ASSIGN_OR_RETURN(TlsMaterial material, ReadTlsMaterial(config.tls));
    contents.tls = std::make_shared<const TlsMaterial>(std::move(material));
  }
  return contents;
}

absl::StatusOr<std::unique_ptr<Secrets>> Secrets::Open(const EdgeConfig& config) {
  KINDRED_ASSIGN_OR_RETURN(Contents contents, Read(config));
  return std::unique_ptr<Secrets>(new Secrets(config, std::move(contents)));
}

Secrets::Secrets(EdgeConfig config, Contents contents)
    : config_(std::move(config)), contents_(std::move(contents)) {
  if (config_.has_tokens() || config_.has_tls()) {
    thread_ = std::thread([this] { Watch(); });
  }
}

Secrets::~Secrets() {
  if (thread_.joinable()) {
    {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
}

std::shared_ptr<const TokenTable> Secrets::tokens() const {
  const std::scoped_lock lock(mutex_);
  return contents_.tokens;
}

std::shared_ptr<const TlsMaterial> Secrets::tls() const {
  const std::scoped_lock lock(mutex_);
  return contents_.tls;
}

void Secrets::Reload() {
  const std::scoped_lock lock(mutex_);
  reload_ = true;
  wake_.notify_all();
}

void Secrets::Watch() {
  // Not those of what was read, which may be older: the first look reads everything once more.
  std::string token_stamp;
  std::string tls_stamp;
  while (true) {
    // Taken before the files are read: what changes while they are is read again.
    const std::string token_stamp_now = StampOf(config_.token_file);
    const std::string tls_stamp_now = StampOf(config_.tls);
    bool reload = false;
    {
      const std::scoped_lock lock(mutex_);
      reload = std::exchange(reload_, false);
    }
    const bool new_tokens = token_stamp_now != std::exchange(token_stamp, token_stamp_now);
    const bool new_tls = tls_stamp_now != std::exchange(tls_stamp, tls_stamp_now);
    if (config_.has_tokens() && (reload || new_tokens)) {
      ReadTokens();
    }
    if (config_.has_tls() && (reload || new_tls)) {
      ReadTls();
    }
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, kLookEvery, [this] { return stop_ || reload_; });
    if (stop_) {
      return;
    }
  }
}

void Secrets::ReadTokens() {
  auto tokens = ReadTokenFile(config_.token_file);
  if (!tokens.ok()) {
    spdlog::error("tokens: {}; those read before stay in force", std::string(tokens.status().message()));
    return;
  }
  spdlog::info("tokens: {} read", (*tokens)->size());
  const std::scoped_lock lock(mutex_);
  contents_.tokens = *std::move(tokens);
}

void Secrets::ReadTls() {
  auto material = ReadTlsMaterial(config_.tls);
  if (!material.ok()) {
    spdlog::error("certificates: {}; those read before stay in force",
                  std::string(material.status().message()));
    return;
  }
  const std::scoped_lock lock(mutex_);
  if (*material != *contents_.tls) {
    spdlog::info("certificates: replaced; connections made from now on see them");
    contents_.tls = std::make_shared<const TlsMaterial>(*std::move(material));
  }
}

}  // namespace kindred::daemon
