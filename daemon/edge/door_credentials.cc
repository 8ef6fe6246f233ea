#include "daemon/edge/door_credentials.h"

#include <mutex>
#include <string>
#include <utility>

#include "grpc/grpc.h"
#include "grpc/grpc_security.h"
#include "index/base/check.h"

namespace kindred::daemon {
namespace {

// What gRPC's C++ interface has no maker for: credentials of its C interface.
class CoreCredentials : public grpc::ServerCredentials {
 public:
  ~CoreCredentials() override { ::grpc_server_credentials_release(core_); }

  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {
    KINDRED_CHECK(false);  // Nobody asks for it.
  }

 protected:
  void Set(grpc_server_credentials* core) { core_ = core; }

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return ::grpc_server_add_http2_port(server, address.c_str(), core_);
  }

  grpc_server_credentials* core_ = nullptr;
};

class TlsCredentials final : public CoreCredentials {
 public:
  TlsCredentials(const Secrets& secrets, bool require_client_certificate) : secrets_(secrets) {
    const auto request = require_client_certificate
                             ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                             : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE;
    Set(::grpc_ssl_server_credentials_create_with_options(
        ::grpc_ssl_server_credentials_create_options_using_config_fetcher(request, Fetch, this)));
  }

 private:
  static grpc_ssl_certificate_config_reload_status Fetch(void* self,
                                                         grpc_ssl_server_certificate_config** config) {
    return static_cast<TlsCredentials*>(self)->Fetch(config);
  }

  grpc_ssl_certificate_config_reload_status Fetch(grpc_ssl_server_certificate_config** config) {
    std::shared_ptr<const TlsMaterial> newest = secrets_.tls();
    const std::scoped_lock lock(mutex_);
    if (newest == given_) {
      return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    }
    const grpc_ssl_pem_key_cert_pair pair{newest->key.c_str(), newest->certificate.c_str()};
    // gRPC insists on authorities of clients, also where it asks for no certificate: then these are not used.
    const std::string& authorities = newest->client_ca.empty() ? newest->certificate : newest->client_ca;
    *config = ::grpc_ssl_server_certificate_config_create(authorities.c_str(), &pair, 1);
    given_ = std::move(newest);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  const Secrets& secrets_;
  std::mutex mutex_;
  std::shared_ptr<const TlsMaterial> given_;
};

class TrustedCredentials final : public CoreCredentials {
 public:
  explicit TrustedCredentials(Role role) {
    grpc_server_credentials* const core = ::grpc_local_server_credentials_create(UDS);
    // The name of the role is a constant of the program.
    ::grpc_server_credentials_set_auth_metadata_processor(
        core, {Stamp, [](void*) {}, const_cast<char*>(RoleName(role).data())});
    Set(core);
  }

 private:
  // Runs before every call. All calls of a connection share its context: the first stamps it, and no call
  // reads it before it was here.
  static void Stamp(void* role_name, grpc_auth_context* context, const grpc_metadata*, size_t,
                    grpc_process_auth_metadata_done_cb done, void* user_data) {
    {
      static std::mutex mutex;
      const std::scoped_lock lock(mutex);
      auto found = ::grpc_auth_context_find_properties_by_name(context, kDoorRoleProperty);
      if (::grpc_auth_property_iterator_next(&found) == nullptr) {
        ::grpc_auth_context_add_cstring_property(context, kDoorRoleProperty,
                                                 static_cast<const char*>(role_name));
      }
    }
    done(user_data, nullptr, 0, nullptr, 0, GRPC_STATUS_OK, nullptr);
  }
};

}  // namespace

std::shared_ptr<grpc::ServerCredentials> TlsDoor(const Secrets& secrets, bool require_client_certificate) {
  return std::make_shared<TlsCredentials>(secrets, require_client_certificate);
}

std::shared_ptr<grpc::ServerCredentials> TrustedDoor(Role role) {
  return std::make_shared<TrustedCredentials>(role);
}

}  // namespace kindred::daemon
