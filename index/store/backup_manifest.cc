#include "index/store/backup_manifest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <optional>

#include "index/base/status.h"
#include "index/store/checksum.h"

namespace kindred {
namespace {

constexpr std::string_view kManifestTitle = "kindred backup 1";
constexpr std::string_view kNoTableId = "-";

// Takes a text apart; the first failure sticks.
class ManifestReader {
 public:
  explicit ManifestReader(std::string_view text) : rest_(text) {}

  bool ok() const { return ok_; }
  bool AtLine(std::string_view name) const { return rest_.starts_with(std::string(name) + " "); }

  // What follows a name and a blank, up to the end of the line.
  std::string_view Line(std::string_view name) {
    if (!AtLine(name)) {
      ok_ = false;
      return {};
    }
    rest_.remove_prefix(name.size() + 1);
    return Until('\n');
  }
  // The next word of a line, and what follows it.
  std::string_view Word(std::string_view& line) {
    const size_t end = line.find(' ');
    ok_ = ok_ && end != std::string_view::npos;
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(ok_ ? end + 1 : line.size());
    return word;
  }
  template <typename Number>
  Number Parse(std::string_view text, int base = 10) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    ok_ = ok_ && error == std::errc() && end == text.data() + text.size();
    return ok_ ? value : Number{};
  }

 private:
  std::string_view Until(char end) {
    const size_t at = rest_.find(end);
    ok_ = ok_ && at != std::string_view::npos;
    const std::string_view found = rest_.substr(0, at);
    rest_.remove_prefix(ok_ ? at + 1 : rest_.size());
    return found;
  }

  std::string_view rest_;
  bool ok_ = true;
};

std::string ToHex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  }
  return text;
}

std::optional<StoreIdentity> IdentityFromHex(ManifestReader& reader, std::string_view text) {
  StoreIdentity identity;
  if (text.size() != 2 * identity.size()) {
    return std::nullopt;
  }
  for (size_t i = 0; i < identity.size(); ++i) {
    identity[i] = static_cast<char>(reader.Parse<uint8_t>(text.substr(2 * i, 2), 16));
  }
  return identity;
}

// A name is joined to the path of a directory, and must not lead out of it.
bool IsFileName(std::string_view name) {
  if (name == "witness") {
    return true;
  }
  if (!name.starts_with("db/") || name.size() == 3 || name[3] == '.') {
    return false;
  }
  return std::ranges::all_of(name.substr(3), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' ||
           c == '-' || c == '_';
  });
}

bool ReadFiles(ManifestReader& reader, std::vector<BackupManifest::File>& files) {
  while (reader.ok() && reader.AtLine("file")) {
    std::string_view line = reader.Line("file");
    BackupManifest::File file;
    file.fingerprint.bytes = reader.Parse<uint64_t>(reader.Word(line));
    file.fingerprint.checksum = reader.Parse<uint64_t>(reader.Word(line), 16);
    const std::string_view table_id = reader.Word(line);
    file.table_id = table_id == kNoTableId ? "" : table_id;
    file.name = line;
    if (!IsFileName(file.name)) {
      return false;
    }
    files.push_back(std::move(file));
  }
  return reader.ok();
}

}  // namespace

uint64_t BackupManifest::bytes() const {
  uint64_t sum = 0;
  for (const File& file : files) {
    sum += file.fingerprint.bytes;
  }
  return sum;
}

std::string EncodeManifest(const BackupManifest& manifest) {
  std::string out =
      fmt::format("{}\ncreated {}\nidentity {}\nsequence {}\n", kManifestTitle, manifest.created,
                  ToHex({manifest.identity.data(), manifest.identity.size()}), Raw(manifest.sequence));
  out += fmt::format("graphs {} {:016x}\nlabels {}\ncolours {}\n", manifest.totals.graphs.count,
                     manifest.totals.graphs.digest, manifest.totals.labels, manifest.totals.colours);
  for (const BackupManifest::File& file : manifest.files) {
    out += fmt::format("file {} {:016x} {} {}\n", file.fingerprint.bytes, file.fingerprint.checksum,
                       file.table_id.empty() ? kNoTableId : std::string_view(file.table_id), file.name);
  }
  return out + fmt::format("checksum {:016x}\n", Checksum(out));
}

absl::StatusOr<BackupManifest> DecodeManifest(std::string_view bytes) {
  const absl::Status damaged = DataLoss("the manifest of the backup is damaged, or of a later version");
  if (!bytes.starts_with(std::string(kManifestTitle) + "\n")) {
    return damaged;
  }
  ManifestReader reader(bytes.substr(kManifestTitle.size() + 1));
  BackupManifest manifest;
  manifest.created = reader.Line("created");
  const auto identity = IdentityFromHex(reader, reader.Line("identity"));
  manifest.sequence = CommitSequence{reader.Parse<uint64_t>(reader.Line("sequence"))};
  std::string_view graphs = reader.Line("graphs");
  manifest.totals.graphs.count = reader.Parse<uint64_t>(reader.Word(graphs));
  manifest.totals.graphs.digest = reader.Parse<uint64_t>(graphs, 16);
  manifest.totals.labels = reader.Parse<uint32_t>(reader.Line("labels"));
  manifest.totals.colours = reader.Parse<uint32_t>(reader.Line("colours"));
  if (!identity || !ReadFiles(reader, manifest.files)) {
    return damaged;
  }
  manifest.identity = *identity;
  // The checksum, too.
  return EncodeManifest(manifest) == bytes ? absl::StatusOr<BackupManifest>(std::move(manifest)) : damaged;
}

std::string TimeOfBackup() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  std::array<char, 32> text{};
  const size_t length = std::strftime(text.data(), text.size(), "%FT%TZ", gmtime_r(&now, &utc));
  return {text.data(), length};
}

}  // namespace kindred
