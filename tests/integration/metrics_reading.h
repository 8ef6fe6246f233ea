// A page of metrics, read as Prometheus reads it and checked as promtool checks it.

#pragma once

#include <map>
#include <string>
#include <vector>

namespace kindred::test {

struct MetricFamily {
  std::string type;
  std::string help;
  std::vector<std::string> series;  // Names with labels, in their order.
};

struct MetricsReading {
  std::map<std::string, MetricFamily> families;
  std::map<std::string, double> values;  // By name with labels, as they are written.
  std::vector<std::string> faults;       // What Prometheus would refuse, or promtool complain of.
};

MetricsReading ReadMetrics(const std::string& text);

}  // namespace kindred::test
