// Every call of the contract has a role, and every row of the table is a call.

#include "daemon/edge/rights.h"

#include <set>
#include <string>

#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {
namespace {

std::set<std::string> MethodsOfTheContract() {
  std::set<std::string> methods;
  const google::protobuf::FileDescriptor& file = *v1::PutRequest::descriptor()->file();
  for (int i = 0; i < file.service_count(); ++i) {
    for (int j = 0; j < file.service(i)->method_count(); ++j) {
      methods.insert("/" + file.service(i)->full_name() + "/" + file.service(i)->method(j)->name());
    }
  }
  return methods;
}

TEST(Rights, EveryCallHasARole) {
  const std::set<std::string> methods = MethodsOfTheContract();
  EXPECT_GE(methods.size(), 17);
  for (const std::string& method : methods) {
    EXPECT_TRUE(RoleNeeded(method).has_value()) << method << ": add it to kRights (daemon/edge/rights.h)";
  }
}

TEST(Rights, EveryRowIsACall) {
  const std::set<std::string> methods = MethodsOfTheContract();
  std::set<std::string> seen;
  for (const Right& right : kRights) {
    EXPECT_TRUE(methods.contains(std::string(right.method))) << right.method;
    EXPECT_TRUE(seen.insert(std::string(right.method)).second) << right.method << " stands twice";
  }
}

TEST(Rights, WhatChangesTheIndexIsNotForReaders) {
  for (const char* const method : {"Put", "PutIfNovel", "Delete", "Ingest"}) {
    EXPECT_EQ(RoleNeeded(std::string("/kindred.v1.Index/") + method), Role::kReadWrite) << method;
  }
  for (const std::string& method : MethodsOfTheContract()) {
    if (method.starts_with("/kindred.v1.Admin/")) {
      EXPECT_EQ(RoleNeeded(method), Role::kAdmin) << method;
    }
  }
  EXPECT_EQ(RoleNeeded("/kindred.v1.Index/NoSuchCall"), std::nullopt);
  EXPECT_EQ(RoleNeeded(""), std::nullopt);
}

}  // namespace
}  // namespace kindred::daemon
