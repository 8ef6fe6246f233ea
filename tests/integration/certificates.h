// Certificates for tests, made with openssl as docs/security.md tells.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"

namespace kindred::test {

// An authority and what it signs, as PEM files in a folder.
class Authority {
 public:
  Authority(std::string folder, const std::string& name) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    Openssl({"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
             Path("ca.key"), "-out", ca(), "-days", "2", "-subj", "/CN=" + name});
  }

  // NAME.pem and NAME.key, for localhost and 127.0.0.1.
  void Sign(const std::string& name) const {
    Openssl({"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
             Path(name + ".key"), "-out", Path(name + ".csr"), "-subj", "/CN=" + name, "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1"});
    Openssl({"x509", "-req", "-in", Path(name + ".csr"), "-CA", ca(), "-CAkey", Path("ca.key"),
             "-CAcreateserial", "-copy_extensions", "copy", "-days", "2", "-out", Path(name + ".pem")});
  }

  std::string ca() const { return Path("ca.pem"); }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  static void Openssl(const std::vector<std::string>& words) {
    const Finished run = RunProgram("/usr/bin/openssl", words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }

  const std::string folder_;
};

}  // namespace kindred::test
