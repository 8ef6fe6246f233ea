// Pairs and clusters as text, a part at a time: there may be more of them than memory holds.
//
// For people, columns are as wide as the widest cell so far; in JSON every pair and every cluster is a line,
// and what sums up is the last.
//
// Threads: one caller at a time.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

// {"a":"x","b":"y","similarity":0.83,"kernel":75}
class PairsText {
 public:
  PairsText(bool json, bool colour) : json_(json), colour_(colour) {}

  std::string Lines(const v1::PairsResponse& message);
  // The last message, which has the stats.
  std::string End(const v1::PairsResponse& message);

 private:
  std::string Row(std::string_view a, std::string_view b, std::string_view similarity,
                  std::string_view kernel);

  const bool json_;
  const bool colour_;
  bool titled_ = false;
  uint64_t rows_ = 0;
  size_t a_width_ = 0;
  size_t b_width_ = 0;
};

// {"representative":"x","size":3,"members":["w","x","y"]}
class ClustersText {
 public:
  ClustersText(bool json, bool colour) : json_(json), colour_(colour) {}

  // Members of one cluster may come in several messages.
  std::string Lines(const v1::ClustersResponse& message);
  std::string End(const v1::ClustersResponse& message);

  uint64_t clusters() const { return clusters_; }

 private:
  std::string Begin(const v1::ClustersResponse::Cluster& cluster);

  const bool json_;
  const bool colour_;
  uint64_t clusters_ = 0;
  uint64_t told_ = 0;  // Members of the cluster at hand.
  size_t size_width_ = 0;
  size_t representative_width_ = 0;
};

}  // namespace kindred::cli
