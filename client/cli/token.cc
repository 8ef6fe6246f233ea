// kindred token: makes a token, and the line by which a daemon knows it.

#include <fcntl.h>
#include <openssl/sha.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/output.h"
#include "client/cli/session.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct TokenFlags {
  std::string name;
  std::string role;
  std::string out;
};

using Bytes32 = std::array<uint8_t, 32>;

std::string Hex(const Bytes32& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

// 256 random bits. The prefix lets tools that look for secrets in the wrong places find them.
absl::StatusOr<std::string> NewToken() {
  Bytes32 random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return absl::UnavailableError("the system has no random numbers");
  }
  return "kindred_" + Hex(random);
}

std::string HashOf(const std::string& token) {
  Bytes32 hash{};
  ::SHA256(reinterpret_cast<const uint8_t*>(token.data()), token.size(), hash.data());
  return Hex(hash);
}

// A new file that only its owner may read, from its first byte on.
absl::Status WriteSecret(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    return InvalidArgument("{}: {}", path, std::generic_category().message(errno));
  }
  const bool written = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool closed = ::close(fd) == 0;
  return written && closed ? absl::OkStatus() : InvalidArgument("{}: cannot be written", path);
}

absl::StatusOr<ExitCode> RunToken(const Session& session, const TokenFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(const std::string token, NewToken());
  const std::string line = fmt::format("{} {} {}", flags.name, flags.role, HashOf(token));
  Output output(session.out());
  const bool shown = flags.out == "-";
  if (!shown) {
    KINDRED_RETURN_IF_ERROR(WriteSecret(flags.out, token + "\n"));
  }
  if (session.options.json) {
    Json json = {{"name", flags.name}, {"role", flags.role}, {"line", line}};
    if (shown) {
      json["token"] = token;
    }
    KINDRED_RETURN_IF_ERROR(output.Write(JsonLine(json)));
  } else {
    KINDRED_RETURN_IF_ERROR(output.Write(shown ? token + "\n" + line + "\n" : line + "\n"));
  }
  KINDRED_RETURN_IF_ERROR(output.Close());
  return ExitCode::kOk;
}

std::string CheckTokenName(const std::string& name) {
  const bool fine =
      !name.empty() && name.size() <= 64 &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._@") ==
          std::string::npos;
  return fine ? std::string() : "NAME is 1 to 64 letters, digits and -._@";
}

}  // namespace

Command AddToken(CLI::App& parent) {
  const auto flags = std::make_shared<TokenFlags>();
  CLI::App& app = *parent.add_subcommand("token", "make a token, and the line by which a daemon knows it");
  app.add_option("NAME", flags->name, "whose it is: the daemon's messages and log tell it")
      ->required()
      ->check(CheckTokenName);
  app.add_option("ROLE", flags->role, "read-only, read-write or admin")
      ->required()
      ->check(CLI::IsMember({"read-only", "read-write", "admin"}));
  app.add_option("-o,--out", flags->out, "new file for the token, for --token-file; - is standard output")
      ->required()
      ->type_name("FILE");
  app.footer(
      "Prints the line NAME ROLE SHA256 for the file of kindredd --tokens, which holds no secret:\n"
      "  kindred token dashboards read-only -o dashboards.token >> tokens");
  return {&app, [flags](Session& session) { return RunToken(session, *flags); }};
}

}  // namespace kindred::cli
