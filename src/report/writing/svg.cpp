#include "report/writing/svg.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace trainmark {

Svg::Svg(double width, double height) : width_(width), height_(height) {}

void Svg::rectangle(double x, double y, double width, double height, std::string_view colour,
                    double opacity) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
      "fill-opacity=\"{:.2f}\"/>\n",
      x, y, width, height, colour, opacity);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view colour, double width,
               bool dashed) {
  body_ += fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{:.1f}\"{}/>\n",
      x1, y1, x2, y2, colour, width, dashed ? " stroke-dasharray=\"5 4\"" : "");
}

void Svg::lines(const Points& points, std::string_view colour, bool dashed) {
  std::string places;
  for (const auto& [x, y] : points) places += fmt::format("{:.1f},{:.1f} ", x, y);
  body_ +=
      fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                  places, colour, dashed ? " stroke-dasharray=\"5 4\"" : "");
}

void Svg::dot(double x, double y, std::string_view colour) {
  body_ +=
      fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x, y, colour);
}

void Svg::text(double x, double y, std::string_view words, Anchor anchor, bool strong,
               std::string_view colour) {
  static constexpr std::array<std::string_view, 3> names = {"start", "middle", "end"};
  body_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{} fill=\"{}\">{}</text>\n", x,
                  y, names[static_cast<std::size_t>(anchor)], strong ? " font-weight=\"600\"" : "",
                  colour, markup_text(words));
}

std::string Svg::finished(std::string_view title) const {
  // A ground of its own: the page around it may be dark.
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" font-family=\"system-ui, 'Noto Sans', 'Noto Sans CJK SC', "
      "sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" rx=\"8\" fill=\"#ffffff\"/>\n{3}</svg>\n",
      width_, height_, markup_text(title, 200), body_);
}

std::string_view Svg::series(std::size_t place) {
  static constexpr std::array<std::string_view, 7> colours = {
      "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7a6a00"};
  return colours[place % colours.size()];
}

std::string markup_text(std::string_view text, std::size_t limit) {
  std::string safe;
  for (const char letter : printable(text, limit)) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

}  // namespace trainmark
