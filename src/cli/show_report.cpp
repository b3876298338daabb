#include "cli/show_report.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <ostream>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace trainmark {

ReportOptions terminal_options() {
  ReportOptions options;
  if (isatty(STDOUT_FILENO) != 0) {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) options.width = size.ws_col;
    options.colour = std::getenv("NO_COLOR") == nullptr;
    std::string charset;
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
      const char* value = std::getenv(name);
      if (value != nullptr && *value != '\0') {
        charset = value;
        break;
      }
    }
    options.unicode =
        charset.find("UTF-8") != std::string::npos || charset.find("utf8") != std::string::npos;
  }
  return options;
}

namespace {

void write(const JournalContents& contents, const std::string& format, Language language,
           const ReportOptions& options, std::ostream& out) {
  const ReportFormat* found = Registry<ReportFormat>::find(format);
  if (found == nullptr) {
    throw UserError(fmt::format("unknown format '{}'; {}", printable(format),
                                suggest(format, Registry<ReportFormat>::names())));
  }
  const std::vector<Result> results = results_of(contents);
  found->write({contents, results, language, options}, out);
}

}  // namespace

void show_report(const JournalContents& contents, const std::string& format, Language language,
                 std::ostream& out) {
  write(contents, format, language, terminal_options(), out);
  out.flush();
}

void save_report(const JournalContents& contents, const std::string& format, Language language,
                 const std::filesystem::path& file) {
  std::ostringstream text;
  ReportOptions options;
  options.page_folder = std::filesystem::absolute(file).parent_path();
  write(contents, format, language, options, text);
  write_file_atomically(file, text.str());
}

Language parse_language(const std::string& name) {
  const auto language = language_of(name);
  if (!language) {
    throw UserError(fmt::format("unknown language '{}'; write en or zh", printable(name)));
  }
  return *language;
}

}  // namespace trainmark
