#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace trainmark {

/// Where a page comes from.
enum class PageKind { file, served };

/// Writes the page that shows a data object in a browser: our own sources in src/report/html and
/// the chart library, all of it inside. `write_data` writes the object as JSON. A page that is
/// served may ask its server for newer data; any other may connect to nothing.
void write_html_page(std::ostream& out, const std::function<void(std::ostream&)>& write_data,
                     PageKind kind = PageKind::file);

/// The policy that stands in the page, for the head of a response.
std::string html_policy(PageKind kind);

/// JSON that may stand in a `<script>`: nothing in it ends the element or a line of JavaScript.
std::string script_safe(std::string_view json);

}  // namespace trainmark
