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
  if (signature.level == 0) {
    signature.label = LabelId{decoder.Varint32()};
  } else {
    signature.parent = ColourId{decoder.Varint32()};
    while (decoder.ok() && !decoder.Done()) {
      const LabelId edge_label{decoder.Varint32()};
      signature.arms.push_back({edge_label, ColourId{decoder.Varint32()}});
    }
  }
  if (!decoder.Done() || signature.level > kDepthMax || !std::ranges::is_sorted(signature.arms)) {
    return DataLoss("a colour signature of {} bytes does not decode", bytes.size());
  }
  std::string canonical;
  EncodeSignature(signature, canonical);
  if (canonical != bytes) {
    return DataLoss("a colour signature of {} bytes is not in canonical form", bytes.size());
  }
  return signature;
}

}  // namespace kindred
