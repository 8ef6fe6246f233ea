#include "tests/integration/metrics_reading.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace kindred::test {
namespace {

bool IsName(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Labels in braces: name="value", with \\, \" and \n escaped.
bool AreLabels(std::string_view labels) {
  size_t at = 0;
  while (at < labels.size()) {
    const size_t equals = labels.find("=\"", at);
    if (equals == std::string_view::npos || !IsName(labels.substr(at, equals - at))) {
      return false;
    }
    at = equals + 2;
    for (; at < labels.size() && labels[at] != '"'; ++at) {
      if (labels[at] == '\n' || (labels[at] == '\\' && ++at == labels.size())) {
        return false;
      }
    }
    if (at >= labels.size()) {
      return false;
    }
    ++at;
    if (at < labels.size() && labels[at++] != ',') {
      return false;
    }
  }
  return true;
}

class Reader {
 public:
  MetricsReading Read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("# HELP ")) {
        Help(line.substr(7));
      } else if (line.starts_with("# TYPE ")) {
        Type(line.substr(7));
      } else {
        Sample(line);
      }
    }
    if (!text.ends_with('\n')) {
      Fault("", "the last line has no end");
    }
    for (const auto& [name, family] : reading_.families) {
      CheckFamily(name, family);
    }
    return std::move(reading_);
  }

 private:
  void Fault(const std::string& line, const std::string& what) {
    reading_.faults.push_back(what + ": " + line);
  }

  void Help(const std::string& rest) {
    family_ = rest.substr(0, rest.find(' '));
    if (!IsName(family_) || family_.size() == rest.size()) {
      Fault(rest, "no name, or no help");
    }
    if (!reading_.families.try_emplace(family_).second) {
      Fault(rest, "the family comes twice");
    }
    reading_.families[family_].help = rest.substr(std::min(rest.size(), family_.size() + 1));
  }

  void Type(const std::string& rest) {
    const std::string name = rest.substr(0, rest.find(' '));
    std::string& type = reading_.families[name].type;
    if (name != family_ || !type.empty()) {
      Fault(rest, "TYPE does not follow HELP, or comes twice");
    }
    type = rest.substr(std::min(rest.size(), name.size() + 1));
  }

  void Sample(const std::string& line) {
    const size_t space = line.rfind(' ');
    const size_t brace = line.find('{');
    const std::string series = line.substr(0, space);
    const std::string name = line.substr(0, std::min(brace, space));
    if (space == std::string::npos || !IsName(name) ||
        (brace != std::string::npos &&
         (!series.ends_with('}') || !AreLabels(series.substr(brace + 1, series.size() - brace - 2))))) {
      Fault(line, "no sample");
      return;
    }
    char* end = nullptr;
    const double value = std::strtod(line.c_str() + space + 1, &end);
    if (*end != '\0' || !std::isfinite(value)) {
      Fault(line, "no number");
    }
    MetricFamily& family = reading_.families[family_];
    const std::string suffix = name.starts_with(family_) ? name.substr(family_.size()) : "?";
    const bool of_histogram = suffix == "_bucket" || suffix == "_sum" || suffix == "_count";
    if (family.type == "histogram" ? !of_histogram : !suffix.empty()) {
      Fault(line, "does not belong to the family " + family_);
    }
    if (!reading_.values.emplace(series, value).second) {
      Fault(line, "comes twice");
    }
    family.series.push_back(series);
  }

  void CheckFamily(const std::string& name, const MetricFamily& family) {
    if (family.type != "counter" && family.type != "gauge" && family.type != "histogram") {
      Fault(name, "has no type");
    }
    if ((family.type == "counter") != name.ends_with("_total")) {
      Fault(name, "counters, and only they, end in _total");
    }
    if (family.help.empty() || !family.help.ends_with('.')) {
      Fault(name, "help is one sentence");
    }
    if (family.type == "histogram") {
      CheckBuckets(family);
    }
  }

  // Counts never fall from bucket to bucket; the last is +Inf and equals the count, which follows the sum.
  void CheckBuckets(const MetricFamily& family) {
    double last = 0;
    std::string last_series;
    for (const std::string& series : family.series) {
      const double value = reading_.values[series];
      const std::string name = series.substr(0, series.find('{'));
      if (name.ends_with("_bucket")) {
        if (value < last) {
          Fault(series, "falls below the bucket before");
        }
        last = value;
        last_series = series;
      } else if (name.ends_with("_count")) {
        if (value != last || last_series.find("le=\"+Inf\"") == std::string::npos) {
          Fault(series, "differs from the last bucket, +Inf");
        }
        last = 0;
      }
    }
  }

  MetricsReading reading_;
  std::string family_;
};

}  // namespace

MetricsReading ReadMetrics(const std::string& text) { return Reader().Read(text); }

}  // namespace kindred::test
