#include "client/drawing/neighbours_picture.h"

#include <algorithm>

#include "client/drawing/molecule.h"
#include "client/drawing/panel.h"
#include "client/drawing/svg_page.h"
#include "index/base/status.h"

namespace kindred::drawing {
namespace {

constexpr size_t kColumnsMax = 4;
constexpr double kPanelWidth = 270;
constexpr double kPanelHeight = 210;
constexpr double kCellBondPixels = 30;
constexpr double kCellGap = 12;
constexpr double kTextHeight = 52;  // Of both lines below a molecule.
constexpr double kCellWidth = kPanelWidth + kCellGap;
constexpr double kCellHeight = kPanelHeight + kTextHeight + kCellGap;

constexpr TextStyle kCaption{.size = 13, .anchor = Anchor::kMiddle};
constexpr Colour kQueryFill{0.96, 0.96, 0.99};
constexpr Colour kQueryLine{0.35, 0.35, 0.55};
constexpr Colour kHitFill{1, 1, 1};
constexpr Colour kHitLine{0.85, 0.85, 0.85};

absl::StatusOr<std::string> DrawCell(const NeighbourCell& cell) {
  if (cell.graph == nullptr) {
    return MakeStatus(absl::StatusCode::kNotFound, "{} is not drawn: it is no longer stored", cell.name);
  }
  const auto molecule = MoleculeFromGraph(*cell.graph);
  if (!molecule.ok()) {
    return Annotate(molecule.status(), fmt::format("{} is not drawn: ", cell.name));
  }
  PanelStyle style;
  style.width = kPanelWidth;
  style.height = kPanelHeight;
  style.bond_length = kCellBondPixels;
  return DrawPanel(**molecule, style);
}

void AddFrame(double x, double y, bool is_query, SvgPage& page) {
  page.AddBox(x, y, kPanelWidth, kPanelHeight + kTextHeight, is_query ? kQueryFill : kHitFill,
              is_query ? kQueryLine : kHitLine);
}

void AddTexts(double x, double y, const NeighbourCell& cell, SvgPage& page) {
  const TextStyle name{.size = 14, .anchor = Anchor::kMiddle, .bold = true};
  const double middle = x + kPanelWidth / 2;
  const double room = kPanelWidth - 2 * kCellGap;
  page.AddText(middle, y + kPanelHeight + 20, FitText(cell.name, name, room), name);
  page.AddText(middle, y + kPanelHeight + 40, FitText(cell.caption, kCaption, room), kCaption);
}

}  // namespace

absl::StatusOr<NeighboursPicture> DrawNeighbours(const NeighbourCell& query,
                                                 const std::vector<NeighbourCell>& hits) {
  const size_t cells = hits.size() + 1;
  const size_t columns = std::min(cells, kColumnsMax);
  const size_t rows = (cells + columns - 1) / columns;
  SvgPage page(static_cast<double>(columns) * kCellWidth + kCellGap,
               static_cast<double>(rows) * kCellHeight + kCellGap);
  NeighboursPicture picture;
  for (size_t i = 0; i < cells; ++i) {
    const NeighbourCell& cell = i == 0 ? query : hits[i - 1];
    const size_t row = i / columns;
    const double x = kCellGap + static_cast<double>(i % columns) * kCellWidth;
    const double y = kCellGap + static_cast<double>(row) * kCellHeight;
    AddFrame(x, y, i == 0, page);
    absl::StatusOr<std::string> drawn = DrawCell(cell);
    if (drawn.ok()) {
      page.AddPart(x, y, *drawn);
    } else if (i == 0) {
      return drawn.status();
    } else {
      picture.notes.emplace_back(drawn.status().message());
      page.AddText(x + kPanelWidth / 2, y + kPanelHeight / 2,
                   cell.graph == nullptr ? "no longer stored" : "not drawn",
                   {.size = 13, .anchor = Anchor::kMiddle, .faint = true});
    }
    AddTexts(x, y, cell, page);
  }
  picture.svg = std::move(page).Take();
  return picture;
}

}  // namespace kindred::drawing
