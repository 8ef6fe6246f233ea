#include "client/formats/molecule_scheme.h"

#include "absl/status/status.h"
#include "fmt/format.h"

namespace kindred::formats {

std::string ToText(const MoleculeScheme& scheme) {
  std::string text = scheme.labels == AtomLabels::kEcfp ? "ecfp" : "element";
  if (scheme.bonds) text += ",bonds";
  if (scheme.hydrogens) text += ",hydrogens";
  if (scheme.largest_fragment) text += ",largest-fragment";
  return text;
}

absl::StatusOr<MoleculeScheme> ParseMoleculeScheme(std::string_view text) {
  // There are few, and each has one text.
  for (const AtomLabels labels : {AtomLabels::kElement, AtomLabels::kEcfp}) {
    for (unsigned bits = 0; bits < 8; ++bits) {
      const MoleculeScheme scheme{labels, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
      if (ToText(scheme) == text) return scheme;
    }
  }
  return absl::FailedPreconditionError(
      fmt::format("the molecule scheme '{}' is none that this kindred knows; a newer one may", text));
}

}  // namespace kindred::formats
