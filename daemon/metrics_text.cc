#include "daemon/metrics_text.h"

#include <iterator>

#include "fmt/format.h"
#include "index/base/check.h"

namespace kindred::daemon {
namespace {

constexpr std::string_view NameOf(MetricsText::Type type) {
  switch (type) {
    case MetricsText::Type::kCounter:
      return "counter";
    case MetricsText::Type::kGauge:
      return "gauge";
    case MetricsText::Type::kHistogram:
      break;
  }
  return "histogram";
}

void AppendEscaped(std::string& out, std::string_view value) {
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') {
        out += '\\';
      }
      out += c;
    }
  }
}

}  // namespace

void MetricsText::Family(std::string_view name, Type type, std::string_view help) {
  KINDRED_CHECK(families_.emplace(name).second);
  family_ = name;
  fmt::format_to(std::back_inserter(text_), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, NameOf(type));
}

void MetricsText::Line(std::string_view suffix, const Labels& labels, std::string_view value) {
  text_ += family_;
  text_ += suffix;
  char separator = '{';
  for (const auto& [label, text] : labels) {
    text_ += separator;
    text_ += label;
    text_ += "=\"";
    AppendEscaped(text_, text);
    text_ += '"';
    separator = ',';
  }
  text_ += labels.empty() ? " " : "} ";
  text_ += value;
  text_ += '\n';
}

void MetricsText::Add(const Labels& labels, uint64_t value) { Line("", labels, fmt::to_string(value)); }

void MetricsText::Add(const Labels& labels, double value) { Line("", labels, fmt::to_string(value)); }

void MetricsText::Add(const Labels& labels, const Distribution& values) {
  const std::vector<uint64_t> counts = values.CumulativeCounts();
  Labels of_bucket = labels;
  for (size_t i = 0; i < counts.size(); ++i) {
    const std::string bound = i < values.bounds().size() ? fmt::to_string(values.bounds()[i]) : "+Inf";
    of_bucket.emplace_back("le", bound);
    Line("_bucket", of_bucket, fmt::to_string(counts[i]));
    of_bucket.pop_back();
  }
  Line("_sum", labels, fmt::to_string(values.sum()));
  Line("_count", labels, fmt::to_string(counts.back()));
}

void MetricsText::Counter(std::string_view name, std::string_view help, uint64_t value) {
  Family(name, Type::kCounter, help);
  Add({}, value);
}

void MetricsText::Gauge(std::string_view name, std::string_view help, uint64_t value) {
  Family(name, Type::kGauge, help);
  Add({}, value);
}

void MetricsText::Histogram(std::string_view name, std::string_view help, const Distribution& values) {
  Family(name, Type::kHistogram, help);
  Add({}, values);
}

}  // namespace kindred::daemon
