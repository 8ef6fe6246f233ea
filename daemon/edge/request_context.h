// The context of a call, with an id that its lines in the log, and the client's, can be found by.
//
// Threads: as the call.
// Cost: the text of an id is made when it is asked for, which most calls never do.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grpcpp/server_context.h"

namespace kindred::daemon {

// Metadata of a call, and of the answer to one that failed.
inline constexpr const char* kRequestIdKey = "x-request-id";

// What a client may call its request: 1 to 64 letters, digits and any of . _ : -
bool IsRequestId(std::string_view id);

class RequestContext : public grpc::CallbackServerContext {
 public:
  RequestContext();

  // The client's, if it gave one that is fit to be one; else one of our own.
  std::string id() const;

 private:
  const uint64_t number_;  // Differs in every call of the process.
};

// The id of a call whose context we made; empty for others, which are of gRPC's own services.
std::string RequestIdOf(const grpc::ServerContextBase& context);

}  // namespace kindred::daemon
