#include "bench/flood.h"

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <future>
#include <iostream>
#include <mutex>
#include <thread>

#include "bench/clock.h"
#include "fmt/format.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "index/base/check.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::bench {
namespace {

// Every vertex has a label of its own.
v1::Graph ColourBomb() {
  v1::Graph graph;
  for (uint32_t i = 0; i < 100'000; ++i) {
    graph.add_labels(fmt::format("label {}", i));
    graph.add_vertices(i);
  }
  return graph;
}

v1::Graph ManyVertices() {
  v1::Graph graph;
  graph.add_labels("C");
  for (uint32_t i = 0; i < 200'000; ++i) {
    graph.add_vertices(0);
  }
  return graph;
}

// Six megabytes.
v1::Graph ManyEdges() {
  v1::Graph graph;
  graph.add_labels("C");
  for (uint32_t i = 0; i < 100'000; ++i) {
    graph.add_vertices(0);
  }
  for (uint32_t e = 0; e < 1'100'000; ++e) {
    graph.add_edges(e % 100'000);
    graph.add_edges((e + 1 + e / 100'000) % 100'000);
  }
  return graph;
}

std::shared_ptr<grpc::Channel> NewChannel(const std::string& server) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // A connection of its own.
  return grpc::CreateCustomChannel(server, grpc::InsecureChannelCredentials(), arguments);
}

v1::Record RecordOf(const v1::Graph& graph) {
  v1::Record record;
  record.set_id("hostile");
  *record.mutable_graph() = graph;
  return record;
}

// The request is bytes already: what it takes to make them is not the daemon's.
Refused Calling(const std::string& server, const std::string& method,
                const google::protobuf::Message& message,
                std::function<bool(const grpc::Status&, grpc::ByteBuffer&)> is_refusal) {
  const grpc::Slice slice(message.SerializeAsString());
  return [stub = std::make_shared<grpc::GenericStub>(NewChannel(server)), method,
          request = grpc::ByteBuffer(&slice, 1), is_refusal = std::move(is_refusal)] {
    grpc::ClientContext context;
    grpc::ByteBuffer response;
    std::promise<grpc::Status> ended;
    stub->UnaryCall(&context, method, {}, &request, &response,
                    [&](grpc::Status status) { ended.set_value(std::move(status)); });
    return is_refusal(ended.get_future().get(), response);
  };
}

Refused Putting(const std::string& server, const v1::Graph& graph) {
  v1::PutRequest request;
  *request.add_records() = RecordOf(graph);
  return Calling(server, "/kindred.v1.Index/Put", request,
                 [](const grpc::Status& status, grpc::ByteBuffer& bytes) {
                   v1::PutResponse response;
                   return status.ok() &&
                          grpc::SerializationTraits<v1::PutResponse>::Deserialize(&bytes, &response).ok() &&
                          response.outcomes(0).code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
                 });
}

Refused Searching(const std::string& server, const v1::Graph& graph) {
  v1::SearchRequest request;
  *request.mutable_graph() = graph;
  return Calling(server, "/kindred.v1.Index/Search", request,
                 [](const grpc::Status& status, grpc::ByteBuffer&) {
                   return status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
                 });
}

// Frames of one stream.
Refused Ingesting(const std::string& server, const v1::Graph& graph) {
  struct Stream {
    explicit Stream(const std::string& server) : stub(v1::Index::NewStub(NewChannel(server))) {
      request.mutable_open();
      v1::IngestResponse opened;
      KINDRED_CHECK(call->Write(request) && call->Read(&opened));
      request.mutable_frame()->add_items();
    }
    ~Stream() { context.TryCancel(); }

    const std::unique_ptr<v1::Index::Stub> stub;
    grpc::ClientContext context;
    const std::unique_ptr<grpc::ClientReaderWriter<v1::IngestRequest, v1::IngestResponse>> call =
        stub->Ingest(&context);
    v1::IngestRequest request;
  };
  const auto stream = std::make_shared<Stream>(server);
  stream->request.mutable_frame()->mutable_items(0)->set_encoded_put(RecordOf(graph).SerializeAsString());
  return [stream] {
    v1::IngestFrame& frame = *stream->request.mutable_frame();
    frame.set_client_sequence(frame.client_sequence() + 1);
    v1::IngestResponse response;
    return stream->call->Write(stream->request) && stream->call->Read(&response) &&
           response.ack().rejected_size() == 1 &&
           response.ack().rejected(0).outcome().code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
  };
}

struct Kind {
  const char* name;
  Refused (*flooder)(const std::string& server, const v1::Graph& graph);
  v1::Graph (*graph)();
};

constexpr Kind kKinds[] = {
    {"put 100,000 labels", Putting, ColourBomb},      {"search 100,000 labels", Searching, ColourBomb},
    {"ingest 100,000 labels", Ingesting, ColourBomb}, {"put 200,000 vertices", Putting, ManyVertices},
    {"put 1,100,000 edges", Putting, ManyEdges},      {"search 1,100,000 edges", Searching, ManyEdges},
    {"ingest 1,100,000 edges", Ingesting, ManyEdges},
};

// Of this process, its threads to come and, where sessions are scheduled as groups, its session.
void TakeWhatIsLeft() {
  const sched_param none{};
  KINDRED_CHECK(::sched_setscheduler(0, SCHED_IDLE, &none) == 0);
  std::ofstream("/proc/self/autogroup") << 19;
}

}  // namespace

std::vector<std::string> Floods() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) {
    names.emplace_back(kind.name);
  }
  return names;
}

Refused NewFlooder(std::string_view name, const std::string& server) {
  for (const Kind& kind : kKinds) {
    if (name == kind.name) {
      return kind.flooder(server, kind.graph());
    }
  }
  KINDRED_CHECK(false);
  return {};
}

void RunFlood(std::string_view name, const std::string& server, int clients) {
  TakeWhatIsLeft();
  std::vector<Refused> flooders;
  for (int i = 0; i < clients; ++i) {
    flooders.push_back(NewFlooder(name, server));
    KINDRED_CHECK(flooders.back()());
  }
  std::cout << "flooding" << std::endl;
  std::atomic<bool> stopping{false};
  std::mutex mutex;  // Guards std::cout.
  std::vector<std::jthread> threads;
  threads.reserve(flooders.size());
  for (const Refused& refused : flooders) {
    threads.emplace_back([&] {
      while (!stopping) {
        const auto start = Clock::now();
        KINDRED_CHECK(refused());
        const std::scoped_lock lock(mutex);
        std::cout << 1e3 * Seconds(Clock::now() - start) << '\n';
      }
    });
  }
  while (std::cin.get() != EOF) {
  }
  stopping = true;
}

FloodProcess::FloodProcess(std::string_view name, const std::string& server, int clients) {
  int in[2];
  int out[2];
  KINDRED_CHECK(::pipe2(in, O_CLOEXEC) == 0 && ::pipe2(out, O_CLOEXEC) == 0);
  std::vector<std::string> words = {"bench_hostile", "--flood",  std::string(name),      "--server",
                                    server,          "--floods", std::to_string(clients)};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  KINDRED_CHECK(::posix_spawn_file_actions_init(&actions) == 0 && ::posix_spawnattr_init(&attributes) == 0);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  KINDRED_CHECK(
      ::posix_spawn(&process_, "/proc/self/exe", &actions, &attributes, arguments.data(), environ) == 0);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
  char byte = 0;
  while (::read(output_, &byte, 1) == 1 && byte != '\n') {
  }
}

void FloodProcess::Stop(Quantiles& refusal_millis) {
  ::close(input_);
  FILE* const lines = ::fdopen(output_, "r");
  for (double millis = 0; std::fscanf(lines, "%lf", &millis) == 1;) {
    refusal_millis.Add(millis);
  }
  std::fclose(lines);
  int status = 0;
  KINDRED_CHECK(::waitpid(process_, &status, 0) == process_ && status == 0);
}

}  // namespace kindred::bench
