#include "client/drawing/svg_page.h"

#include <cmath>
#include <vector>

#include "fmt/format.h"

namespace kindred::drawing {
namespace {

// The characters of a text; a byte that is none is one of its own.
std::vector<std::string_view> Characters(std::string_view text) {
  std::vector<std::string_view> characters;
  size_t begin = 0;
  for (size_t i = 1; i <= text.size(); ++i) {
    const bool continues = i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
    if (!continues) {
      characters.push_back(text.substr(begin, i - begin));
      begin = i;
    }
  }
  return characters;
}

// As in the widest of the common sans-serif fonts, DejaVu Sans, or a little wider.
double CharacterWidth(std::string_view character, const TextStyle& style) {
  constexpr double kBoldly = 1.13;
  double width = 0.65;
  if (character.size() > 1 ||  // It may be an ideograph.
      std::string_view("MWmw%@").find(character) != std::string_view::npos) {
    width = 1.0;
  } else if ((character[0] >= 'A' && character[0] <= 'Z') || character == "=" || character == "+" ||
             character == "#" || character == "~") {
    width = 0.85;
  }
  return style.size * width * (style.bold ? kBoldly : 1.0);
}

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Hex(const Colour& colour) {
  const auto byte = [](double share) { return std::lround(share * 255); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.red), byte(colour.green), byte(colour.blue));
}

}  // namespace

double TextWidth(std::string_view text, const TextStyle& style) {
  double width = 0;
  for (const std::string_view character : Characters(text)) {
    width += CharacterWidth(character, style);
  }
  return width;
}

std::string FitText(std::string_view text, const TextStyle& style, double width) {
  if (TextWidth(text, style) <= width) {
    return std::string(text);
  }
  const std::vector<std::string_view> characters = Characters(text);
  double left = width - CharacterWidth("…", style);
  std::string head;
  std::string tail;
  for (size_t i = 0; i < characters.size(); ++i) {
    // From both ends in turn.
    const std::string_view next = i % 2 == 0 ? characters[i / 2] : characters[characters.size() - 1 - i / 2];
    left -= CharacterWidth(next, style);
    if (left < 0) {
      break;
    }
    i % 2 == 0 ? head.append(next) : tail.insert(0, next);
  }
  return head + "…" + tail;
}

SvgPage::SvgPage(double width, double height)
    : text_(fmt::format(
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
          "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          width, height)) {}

void SvgPage::AddText(double x, double y, std::string_view text, const TextStyle& style) {
  text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.0f}\"{}{} fill=\"{}\">{}</text>\n", x,
                       y, style.size, style.anchor == Anchor::kMiddle ? " text-anchor=\"middle\"" : "",
                       style.bold ? " font-weight=\"bold\"" : "", style.faint ? "#555555" : "#000000",
                       Escape(text));
}

void SvgPage::AddDisc(double x, double y, double radius, const Colour& colour) {
  text_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"#808080\" "
      "stroke-width=\"0.5\"/>\n",
      x, y, radius, Hex(colour));
}

void SvgPage::AddRing(double x, double y, double radius) {
  text_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"none\" stroke=\"#808080\" "
      "stroke-dasharray=\"2 2\"/>\n",
      x, y, radius);
}

void SvgPage::AddBox(double x, double y, double width, double height, const Colour& fill,
                     const Colour& line) {
  text_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\" fill=\"{}\" "
      "stroke=\"{}\"/>\n",
      x, y, width, height, Hex(fill), Hex(line));
}

void SvgPage::AddPart(double x, double y, std::string_view elements) {
  text_ += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n", x, y, elements);
}

std::string SvgPage::Take() && {
  text_ += "</svg>\n";
  return std::move(text_);
}

}  // namespace kindred::drawing
