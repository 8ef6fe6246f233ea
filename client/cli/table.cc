#include "client/cli/table.h"

#include <algorithm>
#include <utility>

#include "client/cli/text.h"
#include "index/base/check.h"

namespace kindred::cli {
namespace {

constexpr size_t kGap = 2;

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (const Column& column : columns_) {
    widths_.push_back(DisplayWidth(column.title));
  }
}

void Table::AddRow(std::vector<std::string> cells) {
  KINDRED_CHECK(cells.size() == columns_.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i] = Printable(cells[i]);
    widths_[i] = std::max(widths_[i], DisplayWidth(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

std::string Table::Render(bool colour) const {
  const auto line = [this](const auto& cell_of) {
    std::string text;
    for (size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string padding(widths_[i] - DisplayWidth(cell), ' ');
      text += columns_[i].align == Align::kRight ? padding + cell : cell + padding;
      text.append(kGap, ' ');
    }
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string text;
  if (std::ranges::any_of(columns_, [](const Column& column) { return !column.title.empty(); })) {
    const std::string titles = line([this](size_t i) -> const std::string& { return columns_[i].title; });
    text += (colour ? "\x1b[1m" + titles + "\x1b[0m" : titles) + "\n";
  }
  for (const auto& row : rows_) {
    text += line([&row](size_t i) -> const std::string& { return row[i]; }) + "\n";
  }
  return text;
}

}  // namespace kindred::cli
