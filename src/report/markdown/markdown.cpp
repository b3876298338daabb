// A report as a page: what was tested, where, how to repeat it, the results, the logs.

#include <ostream>

#include "base/text.h"
#include "report/content/matrix_table.h"
#include "report/content/suite_command.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"

namespace trainmark {

namespace {

void write_contents(const ReportInput& input, const std::vector<WorkloadGroup>& groups,
                    std::ostream& out) {
  const auto entry = [&](std::string_view indent, std::string_view heading) {
    out << indent << "- [" << markdown_text(heading) << "](" << markdown_anchor(heading) << ")\n";
  };
  out << "## " << say(Word::contents, input.language) << "\n\n";
  for (const Word section :
       {Word::tested_heading, Word::environment_heading, Word::features_heading,
        Word::setting_up_heading, Word::repeat_heading, Word::results_heading}) {
    entry("", say(section, input.language));
    if (section == Word::results_heading)
      for (const WorkloadGroup& group : groups) entry("  ", printable(group.title()));
  }
  entry("", say(Word::logs_heading, input.language));
  out << '\n';
}

void write(const ReportInput& input, std::ostream& out) {
  const PublishedResults published(input.options.references);
  const std::vector<WorkloadGroup> groups = report_groups(input, published.results());
  out << "# "
      << say(Word::report_title, input.language,
             markdown_text(detail_in(input.language,
                                     subject_of(input.contents.suites, input.contents.folder))))
      << "\n\n"
      << say(Word::report_intro, input.language) << "\n\n";
  write_summary(input, out);
  write_contents(input, groups, out);
  write_tested(input, groups, out);
  write_environment(input, out);
  write_features(input, out);
  write_setting_up(input, out);
  write_repeat(input, out);
  write_results(input, groups, out);
  write_logs(input, out);
}

const Registration<ReportFormat> registered(
    "md", {"a page in Markdown: tables, environment, how to repeat it, logs", write});

}  // namespace

}  // namespace trainmark
