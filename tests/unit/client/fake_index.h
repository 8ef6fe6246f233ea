// A daemon that does what a test tells it to, in this process.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "grpcpp/grpcpp.h"
#include "grpcpp/health_check_service_interface.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::client {

// Each call goes to the function of its name; without one it is UNIMPLEMENTED, but for the Stats of an index
// that is empty, which most commands ask for. Without `search_stream` the searches of a stream go to
// `search`, one by one.
class FakeIndex final : public v1::Index::Service {
 public:
  using IngestCall = grpc::ServerReaderWriter<v1::IngestResponse, v1::IngestRequest>;

  using SearchCall = grpc::ServerReaderWriter<v1::SearchStreamResponse, v1::SearchRequest>;

  template <typename Request, typename Response>
  using Unary = std::function<grpc::Status(const Request&, Response&)>;
  template <typename Request, typename Response>
  using ServerStream = std::function<grpc::Status(const Request&, grpc::ServerWriter<Response>&)>;

  std::function<grpc::Status(IngestCall&)> ingest;
  Unary<v1::PutRequest, v1::PutResponse> put;
  Unary<v1::DeleteRequest, v1::DeleteResponse> remove;
  Unary<v1::GetRequest, v1::GetResponse> get;
  Unary<v1::SearchRequest, v1::SearchResponse> search;
  std::function<grpc::Status(SearchCall&)> search_stream;
  Unary<v1::ExplainRequest, v1::ExplainResponse> explain;
  Unary<v1::RecommendRequest, v1::RecommendResponse> recommend;
  Unary<v1::StatsRequest, v1::StatsResponse> stats;
  ServerStream<v1::ExportRequest, v1::ExportResponse> export_all;
  ServerStream<v1::KernelRequest, v1::KernelRow> kernel;
  ServerStream<v1::WatchRequest, v1::WatchResponse> watch;

  grpc::Status Ingest(grpc::ServerContext*, IngestCall* call) override {
    return ingest ? ingest(*call) : Unknown();
  }
  grpc::Status Put(grpc::ServerContext*, const v1::PutRequest* request, v1::PutResponse* response) override {
    return put ? put(*request, *response) : Unknown();
  }
  grpc::Status Delete(grpc::ServerContext*, const v1::DeleteRequest* request,
                      v1::DeleteResponse* response) override {
    return remove ? remove(*request, *response) : Unknown();
  }
  grpc::Status Get(grpc::ServerContext*, const v1::GetRequest* request, v1::GetResponse* response) override {
    return get ? get(*request, *response) : Unknown();
  }
  grpc::Status Search(grpc::ServerContext*, const v1::SearchRequest* request,
                      v1::SearchResponse* response) override {
    return search ? search(*request, *response) : Unknown();
  }
  grpc::Status SearchStream(grpc::ServerContext*, SearchCall* call) override {
    if (search_stream) {
      return search_stream(*call);
    }
    return search ? SearchEach(*call) : Unknown();
  }
  grpc::Status Explain(grpc::ServerContext*, const v1::ExplainRequest* request,
                       v1::ExplainResponse* response) override {
    return explain ? explain(*request, *response) : Unknown();
  }
  grpc::Status Recommend(grpc::ServerContext*, const v1::RecommendRequest* request,
                         v1::RecommendResponse* response) override {
    return recommend ? recommend(*request, *response) : Unknown();
  }
  grpc::Status Stats(grpc::ServerContext*, const v1::StatsRequest* request,
                     v1::StatsResponse* response) override {
    return stats ? stats(*request, *response) : grpc::Status::OK;
  }
  grpc::Status Export(grpc::ServerContext*, const v1::ExportRequest* request,
                      grpc::ServerWriter<v1::ExportResponse>* writer) override {
    return export_all ? export_all(*request, *writer) : Unknown();
  }
  grpc::Status Kernel(grpc::ServerContext*, const v1::KernelRequest* request,
                      grpc::ServerWriter<v1::KernelRow>* writer) override {
    return kernel ? kernel(*request, *writer) : Unknown();
  }
  grpc::Status Watch(grpc::ServerContext*, const v1::WatchRequest* request,
                     grpc::ServerWriter<v1::WatchResponse>* writer) override {
    return watch ? watch(*request, *writer) : Unknown();
  }

 private:
  grpc::Status SearchEach(SearchCall& call) const {
    v1::SearchRequest request;
    for (uint64_t index = 0; call.Read(&request); ++index) {
      v1::SearchStreamResponse answer;
      answer.set_index(index);
      v1::SearchResponse response;
      if (const grpc::Status status = search(request, response); status.ok()) {
        *answer.mutable_response() = response;
      } else {
        answer.mutable_error()->set_code(status.error_code());
        answer.mutable_error()->set_message(status.error_message());
      }
      call.Write(answer);
    }
    return grpc::Status::OK;
  }

  static grpc::Status Unknown() { return {grpc::StatusCode::UNIMPLEMENTED, "not part of this test"}; }
};

class FakeAdmin final : public v1::Admin::Service {
 public:
  std::function<grpc::Status(grpc::ServerWriter<v1::VerifyResponse>&)> verify;
  std::function<grpc::Status(const v1::BackupRequest&, grpc::ServerWriter<v1::BackupResponse>&)> backup;
  std::function<grpc::Status(grpc::ServerContext&, grpc::ServerWriter<v1::CompactResponse>&)> compact;

  grpc::Status Verify(grpc::ServerContext*, const v1::VerifyRequest*,
                      grpc::ServerWriter<v1::VerifyResponse>* writer) override {
    return verify ? verify(*writer) : grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "not part of this test");
  }
  grpc::Status Backup(grpc::ServerContext*, const v1::BackupRequest* request,
                      grpc::ServerWriter<v1::BackupResponse>* writer) override {
    return backup ? backup(*request, *writer)
                  : grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "not part of this test");
  }
  grpc::Status Compact(grpc::ServerContext* context, const v1::CompactRequest*,
                       grpc::ServerWriter<v1::CompactResponse>* writer) override {
    return compact ? compact(*context, *writer)
                   : grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "not part of this test");
  }
};

// Serves a FakeIndex and a FakeAdmin on a free port of the loopback from its construction to its end.
class FakeServer {
 public:
  FakeServer() { Start(); }
  ~FakeServer() { Stop(); }

  const std::string& address() const { return address_; }

  void SetServing(bool serving) { server_->GetHealthCheckService()->SetServingStatus(serving); }

  // After Stop: at the same address.
  void Start() {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort(address_, grpc::InsecureServerCredentials(), &port);
    builder.SetMaxReceiveMessageSize(64 << 20);
    builder.RegisterService(&index);
    builder.RegisterService(&admin);
    server_ = builder.BuildAndStart();
    address_ = "127.0.0.1:" + std::to_string(port);
  }

  // Breaks every connection.
  void Stop() {
    if (server_ != nullptr) {
      server_->Shutdown(std::chrono::system_clock::now());
      server_->Wait();
      server_ = nullptr;
    }
  }

  FakeIndex index;
  FakeAdmin admin;

 private:
  std::unique_ptr<grpc::Server> server_;
  std::string address_ = "127.0.0.1:0";
};

// An address where nobody listens.
inline std::string DeadAddress() { return FakeServer().address(); }

}  // namespace kindred::client
