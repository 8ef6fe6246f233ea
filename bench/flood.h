// Requests that a daemon has to refuse, and clients that send them as fast as they are answered: in a process
// of their own that gets what the others leave of the processors, as if it were another machine.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/quantiles.h"

namespace kindred::bench {

// Their names; "put 100,000 labels" for one.
std::vector<std::string> Floods();

// Sends one request and waits for its answer; whether that was a refusal, as it has to be.
using Refused = std::function<bool()>;
// A client with a connection of its own. REQUIRES: `name` is one of Floods().
Refused NewFlooder(std::string_view name, const std::string& server);

// The course of the process: says a line when the clients are connected, floods until its input ends, and
// says how many milliseconds each refusal took, a line each.
void RunFlood(std::string_view name, const std::string& server, int clients);

// The process, from where it floods.
class FloodProcess {
 public:
  // Runs this program as `PROGRAM --flood NAME --server SERVER --floods CLIENTS`, which is to call RunFlood;
  // returns when it floods.
  FloodProcess(std::string_view name, const std::string& server, int clients);
  FloodProcess(const FloodProcess&) = delete;
  FloodProcess& operator=(const FloodProcess&) = delete;

  // Ends it. Once.
  void Stop(Quantiles& refusal_millis);

 private:
  int process_ = 0;
  int input_ = -1;
  int output_ = -1;
};

}  // namespace kindred::bench
