#include "client/cli/json.h"

#include <cmath>
#include <cstdint>

namespace kindred::cli {

Json JsonNumber(double value) {
  constexpr double kWholeMax = 9007199254740992.0;  // 2^53.
  if (std::trunc(value) == value && std::abs(value) <= kWholeMax) {
    return static_cast<int64_t>(value);
  }
  return value;
}

std::string JsonLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kindred::cli
