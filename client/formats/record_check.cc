#include "client/formats/record_check.h"

#include <boost/locale/utf.hpp>

#include "client/formats/molecule_scheme.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace utf = boost::locale::utf;

bool IsUtf8(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (!utf::is_valid_codepoint(utf::utf_traits<char>::decode(at, end))) return false;
  }
  return true;
}

absl::Status CheckId(std::string_view id) {
  if (id.empty()) return absl::InvalidArgumentError("id: is empty");
  if (id.size() > kIdBytesMax) {
    return absl::InvalidArgumentError(fmt::format("id: has {} bytes; at most {}", id.size(), kIdBytesMax));
  }
  if (!IsUtf8(id)) return absl::InvalidArgumentError("id: is not UTF-8");
  return absl::OkStatus();
}

absl::Status DropBondsOfScheme(v1::Record& record) {
  if (record.molecule_scheme().empty()) return absl::OkStatus();
  absl::StatusOr<MoleculeScheme> scheme = ParseMoleculeScheme(record.molecule_scheme());
  if (!scheme.ok()) return scheme.status();
  scheme->bonds = false;
  record.set_molecule_scheme(ToText(*scheme));
  return absl::OkStatus();
}

}  // namespace kindred::formats
