// AccessOptions as gRPC wants them.
//
// Threads: free functions without state.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/access_options.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/client_interceptor.h"

namespace kindred::client {

struct Credentials {
  std::shared_ptr<grpc::ChannelCredentials> channel;
  std::string server_name;  // Empty: that of the address.
  std::string token;        // Empty: none.
};

// Reads the files. Refuses a token that would travel readable to another machine.
absl::StatusOr<Credentials> MakeCredentials(const std::string& address, const AccessOptions& options);

// Adds the token to every call of a channel, whoever makes it: call credentials would do so only over TLS.
std::vector<std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>> TokenSender(
    const std::string& token);

}  // namespace kindred::client
