#include "client/credentials.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "index/base/status.h"

namespace kindred::client {
namespace {

namespace grpc_experimental = grpc::experimental;

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file.is_open() || file.bad() || text.str().empty()) {
    return InvalidArgument("{}: cannot be read, or is empty", path);
  }
  return text.str();
}

// gRPC would only say that it cannot connect.
absl::StatusOr<std::string> ReadPem(const std::string& path) {
  KINDRED_ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  if (text.find("-----BEGIN ") == std::string::npos) {
    return InvalidArgument("{}: is not a PEM file", path);
  }
  return text;
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> TlsCredentials(const AccessOptions& options) {
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return InvalidArgument("TLS: a client's certificate and its key come together");
  }
  grpc::SslCredentialsOptions pem;
  if (!options.ca_file.empty()) {
    KINDRED_ASSIGN_OR_RETURN(pem.pem_root_certs, ReadPem(options.ca_file));
  }
  if (!options.certificate_file.empty()) {
    KINDRED_ASSIGN_OR_RETURN(pem.pem_cert_chain, ReadPem(options.certificate_file));
    KINDRED_ASSIGN_OR_RETURN(pem.pem_private_key, ReadPem(options.key_file));
  }
  return grpc::SslCredentials(pem);
}

absl::StatusOr<std::string> TokenOf(const AccessOptions& options) {
  std::string token = options.token;
  if (token.empty() && !options.token_file.empty()) {
    KINDRED_ASSIGN_OR_RETURN(token, ReadFile(options.token_file));
    token.resize(std::min(token.find_first_of("\r\n"), token.size()));
    if (token.empty()) {
      return InvalidArgument("{}: has no token in its first line", options.token_file);
    }
  }
  // What a header may hold; and a message shows nothing of it.
  if (!std::ranges::all_of(token, [](char c) { return c > ' ' && c <= '~'; })) {
    return InvalidArgument("{}: a token is printable ASCII without blanks",
                           options.token_file.empty() ? "token" : options.token_file);
  }
  return token;
}

bool StaysHere(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  // Digits and dots only: 127.example.org is another machine.
  return address.starts_with("unix:") || host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

class TokenInterceptor final : public grpc_experimental::Interceptor {
 public:
  explicit TokenInterceptor(const std::string& value) : value_(value) {}
  void Intercept(grpc_experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(
            grpc_experimental::InterceptionHookPoints::PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->emplace("authorization", value_);
    }
    methods->Proceed();
  }

 private:
  const std::string& value_;  // Of the factory, which the channel keeps.
};

class TokenInterceptorFactory final : public grpc_experimental::ClientInterceptorFactoryInterface {
 public:
  explicit TokenInterceptorFactory(const std::string& token) : value_("Bearer " + token) {}
  grpc_experimental::Interceptor* CreateClientInterceptor(grpc_experimental::ClientRpcInfo*) override {
    return new TokenInterceptor(value_);
  }

 private:
  const std::string value_;
};

}  // namespace

absl::StatusOr<Credentials> MakeCredentials(const std::string& address, const AccessOptions& options) {
  Credentials credentials;
  KINDRED_ASSIGN_OR_RETURN(credentials.token, TokenOf(options));
  if (options.wants_tls() && !address.starts_with("unix:")) {
    KINDRED_ASSIGN_OR_RETURN(credentials.channel, TlsCredentials(options));
    credentials.server_name = options.server_name;
    return credentials;
  }
  if (!credentials.token.empty() && !StaysHere(address)) {
    return InvalidArgument("the token would travel readable to {}; use TLS", address);
  }
  credentials.channel = grpc::InsecureChannelCredentials();
  return credentials;
}

std::vector<std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>> TokenSender(
    const std::string& token) {
  std::vector<std::unique_ptr<grpc_experimental::ClientInterceptorFactoryInterface>> factories;
  if (!token.empty()) {
    factories.push_back(std::make_unique<TokenInterceptorFactory>(token));
  }
  return factories;
}

}  // namespace kindred::client
