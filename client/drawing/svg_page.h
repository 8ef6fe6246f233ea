// A picture under construction: SVG, piece by piece, in pixels from the upper left corner.
//
// Text is printable UTF-8 (the caller sees to that); it is escaped here, and cut where it would be too wide.
// How wide letters are depends on who shows the picture, so widths are estimates on the safe side.
//
// Threads: one caller at a time.

#pragma once

#include <string>
#include <string_view>

#include "client/drawing/palette.h"

namespace kindred::drawing {

enum class Anchor { kStart, kMiddle };

// How text looks.
struct TextStyle {
  double size = 14;
  Anchor anchor = Anchor::kStart;
  bool bold = false;
  bool faint = false;
};

// About as wide as it may get.
double TextWidth(std::string_view text, const TextStyle& style);

// As much of the text as fits, its middle replaced by "…" when it is cut.
std::string FitText(std::string_view text, const TextStyle& style, double width);

class SvgPage {
 public:
  // A white page.
  SvgPage(double width, double height);

  // `y` is the line the letters stand on.
  void AddText(double x, double y, std::string_view text, const TextStyle& style);
  void AddDisc(double x, double y, double radius, const Colour& colour);
  // Only its outline, dashed.
  void AddRing(double x, double y, double radius);
  void AddBox(double x, double y, double width, double height, const Colour& fill, const Colour& line);
  // SVG elements, moved there.
  void AddPart(double x, double y, std::string_view elements);

  std::string Take() &&;

 private:
  std::string text_;
};

}  // namespace kindred::drawing
