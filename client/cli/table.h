// Tables for people: columns as wide as their widest cell, nothing cut off.
//
//     rank  id        similarity
//        1  caffeine      1.0000
//
// Threads: one caller at a time.

#pragma once

#include <string>
#include <vector>

namespace kindred::cli {

enum class Align { kLeft, kRight };

class Table {
 public:
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };

  // Without any title there is no line of titles.
  explicit Table(std::vector<Column> columns);

  // As many cells as there are columns. Cells are shown as Printable makes them.
  void AddRow(std::vector<std::string> cells);

  // Ends with a newline; lines have no spaces at their end. With colour the titles are bold.
  std::string Render(bool colour) const;

 private:
  const std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> widths_;
};

}  // namespace kindred::cli
