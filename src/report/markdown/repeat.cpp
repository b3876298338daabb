// How to repeat it: the command, the suite, the seeds.

#include <ostream>
#include <set>

#include "base/text.h"
#include "report/content/suite_command.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"

namespace trainmark {

namespace {

constexpr std::size_t most_seeds = 20;
constexpr std::size_t most_commands = 20;

void write_suite(const SuiteRecord& suite, Language language, std::ostream& out) {
  const std::string file = suite_file(suite);
  out << say(Word::repeat_command, language, markdown_code(file)) << "\n\n"
      << markdown_block(shell_line(suite_command(suite)), "bash") << '\n'
      << say(Word::repeat_suite, language, markdown_code(suite.name), suite.cells, suite.rounds,
             markdown_text(suite.started))
      << "\n\n"
      << markdown_block(suite.text, "yaml") << '\n';
  if (!suite.trainmark.empty())
    out << "- " << say(Word::measured_with, language, markdown_text(suite.trainmark)) << '\n';
}

/// Programs that were measured without a suite: their own commands, one of each cell.
void write_commands(const ReportInput& input, std::ostream& out) {
  std::string lines;
  std::size_t count = 0;
  for (const Result& result : input.results) {
    if (result.runs.empty() || ++count > most_commands) continue;
    lines += shell_line(result.runs.front()->command) + "\n";
  }
  if (count > most_commands) lines += "…\n";
  out << say(Word::repeat_no_suite, input.language) << "\n\n"
      << markdown_block(lines, "bash") << '\n';
}

}  // namespace

void write_repeat(const ReportInput& input, std::ostream& out) {
  out << "## " << say(Word::repeat_heading, input.language) << "\n\n";
  const std::vector<const SuiteRecord*> suites = different_suites(input.contents.suites);
  for (const SuiteRecord* suite : suites) write_suite(*suite, input.language, out);
  if (suites.empty()) write_commands(input, out);

  std::set<std::uint64_t> seeds;
  std::set<std::string> rules;
  for (const RunRecord& run : input.contents.runs) {
    seeds.insert(run.seed);
    if (!run.rule.empty()) rules.insert(run.rule);
  }
  std::vector<std::string> texts;
  for (const std::uint64_t seed : seeds) {
    texts.push_back(texts.size() == most_seeds ? "…" : std::to_string(seed));
    if (texts.size() > most_seeds) break;
  }
  for (const std::string& rule : rules)
    out << "- " << say(Word::repeat_rule, input.language, markdown_code(rule)) << '\n';
  if (!texts.empty())
    out << "- " << say(Word::repeat_seed, input.language, join(texts, ", ")) << "\n\n";
}

}  // namespace trainmark
