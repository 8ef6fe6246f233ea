#include "client/cli/not_novel_printer.h"

#include <utility>

#include "client/cli/json.h"
#include "client/cli/table.h"
#include "client/cli/terminal.h"
#include "client/cli/text.h"
#include "fmt/format.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

constexpr size_t kRowsATable = 1'000;

std::string IdentityWord(v1::ClosestGraph::Identity identity) {
  switch (identity) {
    case v1::ClosestGraph::DIFFERENT:
      return "different";
    case v1::ClosestGraph::EQUAL_HISTOGRAM:
      return "equal histogram";
    case v1::ClosestGraph::ISOMORPHIC:
      return "isomorphic";
    case v1::ClosestGraph::UNDECIDED:
      return "undecided";
    default:
      return "unknown";
  }
}

}  // namespace

void NotNovelPrinter::Take(const client::NotNovel& record) {
  const std::scoped_lock lock(mutex_);
  records_.push_back(record);
}

bool NotNovelPrinter::HasSome(bool at_end) {
  const std::scoped_lock lock(mutex_);
  return at_end || session_.options.json ? !records_.empty() : records_.size() >= kRowsATable;
}

absl::Status NotNovelPrinter::Print() {
  std::vector<client::NotNovel> records;
  {
    const std::scoped_lock lock(mutex_);
    records.swap(records_);
  }
  std::string text;
  if (session_.options.json) {
    for (const client::NotNovel& record : records) {
      text += ToJsonLine(record);
    }
  } else {
    text = ToTable(records) + "\n";
  }
  KINDRED_RETURN_IF_ERROR(output_.Write(text));
  return output_.Flush();
}

std::string NotNovelPrinter::ToJsonLine(const client::NotNovel& record) const {
  return JsonLine({{"id", record.id},
                   {"file", files_[record.position.source]},
                   {"position", record.position.record},
                   {"closest", Json{{"id", record.closest.id()},
                                    {"kernel", JsonNumber(record.closest.kernel())},
                                    {"similarity", JsonNumber(record.closest.similarity())},
                                    {"identity", IdentityWord(record.closest.identity())}}}});
}

std::string NotNovelPrinter::ToTable(const std::vector<client::NotNovel>& records) const {
  Table table({{"id"}, {"closest"}, {"similarity", Align::kRight}, {"identity"}});
  for (const client::NotNovel& record : records) {
    table.AddRow({record.id, record.closest.id(), fmt::format("{:.4f}", record.closest.similarity()),
                  IdentityWord(record.closest.identity())});
  }
  return table.Render(WantsColour(session_.out()));
}

}  // namespace kindred::cli
