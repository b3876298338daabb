#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainmark {

/// A drawing that any browser, forge or text processor shows: shapes and texts, nothing that runs.
/// Texts may come from anywhere; they are escaped here.
class Svg {
 public:
  using Points = std::vector<std::pair<double, double>>;
  enum class Anchor { start, middle, end };

  Svg(double width, double height);

  void rectangle(double x, double y, double width, double height, std::string_view colour,
                 double opacity = 1);
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1,
            bool dashed = false);
  void lines(const Points& points, std::string_view colour, bool dashed = false);
  void dot(double x, double y, std::string_view colour);
  void text(double x, double y, std::string_view words, Anchor anchor = Anchor::start,
            bool strong = false, std::string_view colour = ink);

  std::string finished(std::string_view title) const;

  static constexpr std::string_view ink = "#16202c";
  static constexpr std::string_view quiet = "#5a6775";
  static constexpr std::string_view faint = "#dfe4ea";
  /// Okabe and Ito's colours, as in the page for browsers.
  static std::string_view series(std::size_t place);

 private:
  double width_, height_;
  std::string body_;
};

/// A text inside markup: nothing in it is markup, and at most `limit` bytes of it are kept.
std::string markup_text(std::string_view text, std::size_t limit = 80);

}  // namespace trainmark
