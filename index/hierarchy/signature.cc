#include "index/hierarchy/signature.h"

#include <algorithm>

#include "index/base/coding.h"
#include "index/base/limits.h"
#include "index/base/status.h"

namespace kindred {

void EncodeSignature(const Signature& signature, std::string& out) {
  out.clear();
  out.push_back(static_cast<char>(signature.level));
  VarintAppender numbers(out, 1 + 2 * signature.arms.size());
  if (signature.level == 0) {
    numbers.Add(Raw(signature.label));
    return;
  }
  numbers.Add(Raw(signature.parent));
  for (const Arm& arm : signature.arms) {
    numbers.Add(Raw(arm.edge_label));
    numbers.Add(Raw(arm.colour));
  }
}

absl::StatusOr<Signature> DecodeSignature(std::string_view bytes) {
  Decoder decoder(bytes);
  Signature signature;
  signature.level = decoder.Byte();
  size_t canonical_bytes = 1;
  const auto next = [&] {
    const uint32_t value = decoder.Varint32();
    canonical_bytes += VarintBytes(value);
    return value;
  };
  if (signature.level == 0) {
    signature.label = LabelId{next()};
  } else {
    signature.parent = ColourId{next()};
    while (decoder.ok() && !decoder.Done()) {
      const LabelId edge_label{next()};
      signature.arms.push_back({edge_label, ColourId{next()}});
    }
  }
  if (!decoder.Done() || signature.level > kDepthMax || !std::ranges::is_sorted(signature.arms)) {
    return DataLoss("a colour signature of {} bytes does not decode", bytes.size());
  }
  // The same numbers in as many bytes are the same bytes: each takes at least what the encoder takes for it.
  if (canonical_bytes != bytes.size()) {
    return DataLoss("a colour signature of {} bytes is not in canonical form", bytes.size());
  }
  return signature;
}

}  // namespace kindred
