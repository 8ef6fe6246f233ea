#include "daemon/edge/tls_material.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>

#include "index/base/status.h"

namespace kindred::daemon {
namespace {

constexpr size_t kPemBytesMax = 1 << 20;

template <typename T, void (*Free)(T*)>
struct Freer {
  void operator()(T* object) const { Free(object); }
};
using Bio = std::unique_ptr<BIO, Freer<BIO, BIO_free_all>>;
using Certificate = std::unique_ptr<X509, Freer<X509, X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY, EVP_PKEY_free>>;

Bio Open(const std::string& pem) { return Bio(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

// Instead of asking at the terminal, which is what OpenSSL does by default.
int NoPassphrase(char*, int, int, void*) { return 0; }

// The first certificate; every other one has to be one, too.
absl::StatusOr<Certificate> ParseCertificates(const std::string& pem, const std::string& path) {
  const Bio bio = Open(pem);
  Certificate first;
  while (Certificate next{::PEM_read_bio_X509(bio.get(), nullptr, NoPassphrase, nullptr)}) {
    first = first ? std::move(first) : std::move(next);
  }
  const bool at_end = ERR_GET_REASON(::ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ::ERR_clear_error();
  if (!first || !at_end) {
    return InvalidArgument("{}: is not a PEM file of certificates", path);
  }
  return first;
}

absl::StatusOr<Key> ParseKey(const std::string& pem, const std::string& path) {
  Key key(::PEM_read_bio_PrivateKey(Open(pem).get(), nullptr, NoPassphrase, nullptr));
  ::ERR_clear_error();
  if (!key) {
    return InvalidArgument("{}: is not the PEM file of a private key without a passphrase", path);
  }
  return key;
}

}  // namespace

absl::StatusOr<std::string> ReadSmallFile(const std::string& path, size_t bytes_max) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(bytes_max + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.is_open() || file.bad() || (file.gcount() == 0 && errno != 0)) {
    return InvalidArgument("{}: cannot be read: {}", path, std::generic_category().message(errno));
  }
  bytes.resize(static_cast<size_t>(file.gcount()));
  if (bytes.size() > bytes_max) {
    return InvalidArgument("{}: has more than {} bytes", path, bytes_max);
  }
  return bytes;
}

absl::StatusOr<TlsMaterial> ReadTlsMaterial(const TlsPaths& paths) {
  TlsMaterial material;
  KINDRED_ASSIGN_OR_RETURN(material.certificate, ReadSmallFile(paths.certificate, kPemBytesMax));
  KINDRED_ASSIGN_OR_RETURN(material.key, ReadSmallFile(paths.key, kPemBytesMax));
  KINDRED_ASSIGN_OR_RETURN(const Certificate certificate,
                           ParseCertificates(material.certificate, paths.certificate));
  KINDRED_ASSIGN_OR_RETURN(const Key key, ParseKey(material.key, paths.key));
  const bool fits = ::X509_check_private_key(certificate.get(), key.get()) == 1;
  ::ERR_clear_error();
  if (!fits) {
    return InvalidArgument("{}: is not the key of the certificate {}", paths.key, paths.certificate);
  }
  if (!paths.client_ca.empty()) {
    KINDRED_ASSIGN_OR_RETURN(material.client_ca, ReadSmallFile(paths.client_ca, kPemBytesMax));
    KINDRED_RETURN_IF_ERROR(ParseCertificates(material.client_ca, paths.client_ca).status());
  }
  return material;
}

}  // namespace kindred::daemon
