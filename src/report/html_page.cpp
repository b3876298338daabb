#include "report/html_page.h"

#include <ostream>

#include "base/error.h"

// The page as src/report/html/assemble.py has put it together at build time.
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

}  // namespace

void write_html_page(std::ostream& out, const std::function<void(std::ostream&)>& write_data) {
  const std::string_view page(trainmark_page_begin,
                              static_cast<std::size_t>(trainmark_page_end - trainmark_page_begin));
  const std::size_t place = page.find(place_of_data);
  TRAINMARK_ASSERT(place != std::string_view::npos);
  out << page.substr(0, place);
  write_data(out);
  out << page.substr(place + place_of_data.size());
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
