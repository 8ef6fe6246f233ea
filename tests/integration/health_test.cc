// grpc.health.v1: Check (Watch: see lifecycle_test); reflection behind its flag; deadlines and cancellation.

#include <chrono>
#include <random>

#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/generic/generic_stub.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

TEST(HealthCheck, SaysServingForTheDaemonAndItsService) {
  const TempDir dir;
  DaemonProcess daemon(dir.Sub("d"));
  const auto health = Health::NewStub(daemon.NewChannel());
  HealthCheckRequest request;
  for (const char* service : {"", "kindred.v1.Index"}) {
    request.set_service(service);
    HealthCheckResponse response;
    ASSERT_TRUE(health->Check(NewContext().get(), request, &response).ok());
    EXPECT_EQ(response.status(), HealthCheckResponse::SERVING);
  }
  request.set_service("no.such.Service");
  HealthCheckResponse response;
  EXPECT_EQ(health->Check(NewContext().get(), request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST(Deadlines, StopASearch) {
  const TempDir dir;
  DaemonProcess daemon(dir.Sub("d"));
  const auto stub = daemon.NewStub();
  std::mt19937_64 rng(1);
  v1::PutRequest put;
  for (int i = 0; i < 10'000; ++i) {
    *put.add_records() = RecordMessage(std::to_string(i), RandomTreeMessage(rng, 40));
  }
  v1::PutResponse stored;
  ASSERT_TRUE(stub->Put(NewContext().get(), put, &stored).ok());

  v1::SearchRequest request;
  *request.mutable_graph() = RandomTreeMessage(rng, 40);
  request.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
  v1::SearchResponse response;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(1));
  EXPECT_EQ(stub->Search(&context, request, &response).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_TRUE(stub->Search(NewContext().get(), request, &response).ok());
}

// A reflection stream that is there stays open for a request; one that is not ends with UNIMPLEMENTED.
grpc::StatusCode ReflectionCode(const DaemonProcess& daemon) {
  grpc::GenericStub stub(daemon.NewChannel());
  grpc::CompletionQueue queue;
  const auto context = NewContext();
  const auto call = stub.PrepareCall(
      context.get(), "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  void* tag = nullptr;
  bool ok = false;
  call->StartCall(&tag);
  queue.Next(&tag, &ok);
  call->WritesDone(&tag);
  queue.Next(&tag, &ok);
  grpc::Status status;
  call->Finish(&status, &tag);
  queue.Next(&tag, &ok);
  return status.error_code();
}

TEST(Reflection, IsOfferedBehindItsFlag) {
  const TempDir dir;
  const DaemonProcess without(dir.Sub("without"));
  EXPECT_EQ(ReflectionCode(without), grpc::StatusCode::UNIMPLEMENTED);
  const DaemonProcess with(dir.Sub("with"), {"--reflection"});
  EXPECT_EQ(ReflectionCode(with), grpc::StatusCode::OK);
}

}  // namespace
}  // namespace kindred::test
