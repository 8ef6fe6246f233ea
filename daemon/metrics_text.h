// Metrics as Prometheus reads them: its text format, version 0.0.4.
//
// Written here because Debian's library for it brings a second web server and curl, and takes a lock for
// every value that is observed; the format itself is the hundred lines below.
//
// Threads: one at a time.
// Invariants: the samples of a family follow its HELP and TYPE, and no family comes twice (checked: names are
//             our own).

#pragma once

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/distribution.h"

namespace kindred::daemon {

class MetricsText {
 public:
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;
  enum class Type { kCounter, kGauge, kHistogram };

  static constexpr const char* kContentType = "text/plain; version=0.0.4; charset=utf-8";

  // Opens a family; what is added next is of it. `help` is one line.
  void Family(std::string_view name, Type type, std::string_view help);
  void Add(const Labels& labels, uint64_t value);
  void Add(const Labels& labels, double value);
  void Add(const Labels& labels, const Distribution& values);

  // A family of one sample without labels.
  void Counter(std::string_view name, std::string_view help, uint64_t value);
  void Gauge(std::string_view name, std::string_view help, uint64_t value);
  void Histogram(std::string_view name, std::string_view help, const Distribution& values);

  const std::string& text() const { return text_; }

 private:
  void Line(std::string_view suffix, const Labels& labels, std::string_view value);

  std::string text_;
  std::string family_;
  std::set<std::string, std::less<>> families_;
};

}  // namespace kindred::daemon
