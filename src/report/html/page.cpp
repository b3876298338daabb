#include "report/html/page.h"

#include <ostream>
#include <utility>

#include "base/error.h"

// The page as src/report/html/page/assemble.py has put it together at build time.
__asm__(
    ".section .rodata\n"
    "trainmark_page_begin: .incbin \"" TRAINMARK_PAGE
    "\"\n"
    "trainmark_page_end:\n"
    ".previous\n");
extern "C" const char trainmark_page_begin[];
extern "C" const char trainmark_page_end[];

namespace trainmark {

namespace {

constexpr std::string_view place_of_data = "{{data}}";
constexpr std::string_view place_of_connections = "{{connections}}";

std::string_view whole_page() {
  return {trainmark_page_begin,
          static_cast<std::size_t>(trainmark_page_end - trainmark_page_begin)};
}

std::string_view allowed_connections(PageKind kind) {
  return kind == PageKind::served ? "connect-src 'self'; " : "";
}

/// The text before and after a place; there is always one.
std::pair<std::string_view, std::string_view> around(std::string_view text,
                                                     std::string_view place) {
  const std::size_t at = text.find(place);
  TRAINMARK_ASSERT(at != std::string_view::npos);
  return {text.substr(0, at), text.substr(at + place.size())};
}

}  // namespace

void write_html_page(std::ostream& out, const std::function<void(std::ostream&)>& write_data,
                     PageKind kind) {
  const auto [head, rest] = around(whole_page(), place_of_connections);
  const auto [body, end] = around(rest, place_of_data);
  out << head << allowed_connections(kind) << body;
  write_data(out);
  out << end;
}

std::string html_policy(PageKind kind) {
  const auto [before, rest] =
      around(whole_page(), "http-equiv=\"Content-Security-Policy\" content=\"");
  const auto [begin, tail] = around(rest, place_of_connections);
  return std::string(begin) + std::string(allowed_connections(kind)) +
         std::string(tail.substr(0, tail.find('"'))) + "; frame-ancestors 'none'";
}

std::string script_safe(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view three = json.substr(i, 3);
    if (json[i] == '<') {
      safe += "\\u003c";
    } else if (three == "\u2028" || three == "\u2029") {
      safe += three == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      safe += json[i];
    }
  }
  return safe;
}

}  // namespace trainmark
