#include "index/hierarchy/colour_hierarchy.h"

#include <algorithm>
#include <array>
#include <utility>

#include "index/base/coding.h"
#include "index/base/status.h"

namespace kindred {

ColourHierarchy::View::View(InternTable::View labels, InternTable::View colours)
    : labels_(std::move(labels)), colours_(std::move(colours)) {}

std::optional<LabelId> ColourHierarchy::View::FindLabel(std::string_view label) const {
  const auto id = labels_.Find(label);
  return id ? std::optional(LabelId{*id}) : std::nullopt;
}

std::optional<ColourId> ColourHierarchy::View::FindColour(std::string_view signature) const {
  const auto id = colours_.Find(signature);
  return id ? std::optional(ColourId{*id}) : std::nullopt;
}

void ColourHierarchy::View::FindColours(std::span<const std::string_view> signatures,
                                        std::span<ColourId> found) const {
  std::array<std::optional<uint32_t>, 64> ids;
  for (size_t done = 0; done < signatures.size(); done += ids.size()) {
    const auto part = std::span(ids).first(std::min(ids.size(), signatures.size() - done));
    colours_.FindAll(signatures.subspan(done, part.size()), part);
    std::ranges::transform(part, found.begin() + static_cast<ptrdiff_t>(done),
                           [](std::optional<uint32_t> id) { return id ? ColourId{*id} : kUnknownColour; });
  }
}

ColourHierarchy::ColourHierarchy(HashKey key) : labels_(key), colours_(key) {}

std::optional<ColourId> ColourHierarchy::parent(ColourId id) const {
  const std::string_view bytes = signature(id);
  if (SignatureLevel(bytes) == 0) {
    return std::nullopt;
  }
  return ColourId{Decoder(bytes.substr(1)).Varint32()};
}

LabelId ColourHierarchy::InternLabel(std::string_view label) { return LabelId{labels_.Intern(label)}; }

ColourId ColourHierarchy::InternColour(std::string_view signature) {
  const uint32_t before = colours_.size();
  const ColourId id{colours_.Intern(signature)};
  if (colours_.size() != before) {
    level_counts_[SignatureLevel(signature)].fetch_add(1, std::memory_order_relaxed);
  }
  return id;
}

absl::Status ColourHierarchy::RestoreLabel(LabelId id, std::string_view label) {
  if (Raw(id) != label_count()) {
    return DataLoss("label {} is stored where label {} should be", Raw(id), label_count());
  }
  if (InternLabel(label) != id) {
    return DataLoss("label {} is stored twice", Raw(id));
  }
  return absl::OkStatus();
}

absl::Status ColourHierarchy::RestoreColour(ColourId id, std::string_view signature) {
  if (Raw(id) != colour_count()) {
    return DataLoss("colour {} is stored where colour {} should be", Raw(id), colour_count());
  }
  if (signature.empty()) {
    colours_.Skip();
    reclaimed_count_.fetch_add(1, std::memory_order_relaxed);
    return absl::OkStatus();
  }
  KINDRED_ASSIGN_OR_RETURN(const Signature decoded, DecodeSignature(signature));
  KINDRED_RETURN_IF_ERROR(CheckReferences(id, decoded));
  if (InternColour(signature) != id) {
    return DataLoss("the signature of colour {} is stored twice", Raw(id));
  }
  return absl::OkStatus();
}

absl::Status ColourHierarchy::CheckReferences(ColourId id, const Signature& signature) const {
  if (signature.level == 0) {
    return Raw(signature.label) < label_count()
               ? absl::OkStatus()
               : DataLoss("colour {} names label {}, which does not exist", Raw(id), Raw(signature.label));
  }
  const auto is_one_level_above = [&](ColourId colour) {
    return Raw(colour) < colour_count() && !reclaimed(colour) && level(colour) + 1 == signature.level;
  };
  if (!is_one_level_above(signature.parent)) {
    return DataLoss("colour {} of level {} has parent {}, which is missing or of another level", Raw(id),
                    signature.level, Raw(signature.parent));
  }
  for (const Arm& arm : signature.arms) {
    if (Raw(arm.edge_label) >= label_count() || !is_one_level_above(arm.colour)) {
      return DataLoss("colour {} names edge label {} or colour {}, missing or of another level", Raw(id),
                      Raw(arm.edge_label), Raw(arm.colour));
    }
  }
  return absl::OkStatus();
}

}  // namespace kindred
