#include <fmt/format.h>

#include <future>
#include <iostream>
#include <memory>
#include <unordered_map>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/show_report.h"
#include "report/bundle/bundle.h"
#include "report/comparison/comparison.h"

namespace trainmark {

namespace {

struct CompareArguments {
  std::string base, next;
  std::string format = "table", language = "en", out, colour = "auto";
  std::optional<double> fail_on_slower;  // percent
  bool fail_on_unclear = false;
  double same = 1;  // percent
};

ComparisonInput match_cells(const CompareArguments& arguments, const std::vector<Result>& base,
                            const std::vector<Result>& next) {
  ComparisonInput input;
  input.base_name = arguments.base;
  input.next_name = arguments.next;
  std::unordered_map<std::string, const Result*> by_key;
  for (const auto& result : next) by_key.emplace(result.cell.key(), &result);
  ComparisonLimits limits;
  limits.same = arguments.same / 100;
  for (const auto& result : base) {
    const auto found = by_key.find(result.cell.key());
    if (found == by_key.end()) {
      input.only_base.push_back(result);
      continue;
    }
    input.cells.push_back({result, *found->second,
                           compare_runs(summaries(result), summaries(*found->second), limits)});
    by_key.erase(found);
  }
  for (const auto& result : next) {
    if (by_key.contains(result.cell.key())) input.only_next.push_back(result);
  }
  return input;
}

/// Why the gate trips, in words; empty where it does not. A cell that no longer trains at all is
/// worse than a slow one.
std::vector<std::string> gate(const CompareArguments& arguments, const ComparisonInput& input) {
  std::vector<std::string> reasons;
  for (const auto& cell : input.cells) {
    const std::string key = cell.base.cell.key();
    const double slower = 100 * (1 - cell.comparison.ratio);
    if (arguments.fail_on_slower) {
      if (!cell.base.runs.empty() && cell.next.runs.empty()) {
        reasons.push_back(key + ": no run finished well any more");
      } else if (cell.comparison.answer == Answer::slower && slower >= *arguments.fail_on_slower) {
        reasons.push_back(fmt::format("{}: slower by {:.2f} %", key, slower));
      }
    }
    if (arguments.fail_on_unclear && cell.comparison.answer == Answer::unclear) {
      reasons.push_back(key + ": unclear");
    }
  }
  return reasons;
}

int compare(const CompareArguments& arguments) {
  const ComparisonFormat& format = format_named<ComparisonFormat>(arguments.format);
  const auto opened = [](const std::string& path) { return std::make_unique<OpenedResults>(path); };
  // Large journals take a second each to read.
  auto reading = std::async(std::launch::async, opened, arguments.base);
  const auto next = opened(arguments.next);
  const auto base = reading.get();
  ComparisonInput input = match_cells(arguments, base->results(), next->results());
  if (input.cells.empty()) {
    throw UserError(fmt::format("{} and {} have no cell in common: there is nothing to compare",
                                arguments.base, arguments.next));
  }
  input.language = parse_language(arguments.language);
  input.environments = environment_differences({&base->contents(), &next->contents()});
  input.same = arguments.same / 100;
  input.options = terminal_options(arguments.colour);
  if (arguments.out.empty()) {
    format.write(input, std::cout);
    std::cout.flush();
  } else {
    input.options = {};
    save_with_plots(arguments.out, {},
                    [&](const ReportOptions&, std::ostream& out) { format.write(input, out); });
  }

  const auto reasons = gate(arguments, input);
  for (const auto& reason : reasons) fmt::print(stderr, "gate: {}\n", reason);
  return reasons.empty() ? exit_well : exit_failed;
}

const Registration<Subcommand> registered(
    "compare",
    {"is NEW faster or slower than BASE? With an interval, and an honest `unclear`",
     [](CLI::App& app) -> std::function<int()> {
       auto arguments = std::make_shared<CompareArguments>();
       app.add_option("base", arguments->base, "a folder of results, or a bundle")->required();
       app.add_option("new", arguments->next, "another, of the same cells")->required();
       app.add_option("--fail-on-slower", arguments->fail_on_slower,
                      "exit with 1 where a cell is slower by at least this many percent, or no "
                      "longer trains")
           ->check(CLI::Range(0.0, 100.0));
       app.add_flag("--fail-on-unclear", arguments->fail_on_unclear,
                    "exit with 1 where the answer is unclear, too");
       app.add_option("--same", arguments->same,
                      "a difference inside this many percent is none (default: 1)")
           ->check(CLI::Range(0.01, 50.0));
       app.add_option("--format", arguments->format,
                      join(Registry<ComparisonFormat>::names(), ", ") + " (default: table)");
       app.add_option("--lang", arguments->language, "en or zh (default: en)");
       app.add_option("--out", arguments->out, "write into this file");
       add_colour_option(app, arguments->colour);
       return [arguments] { return compare(*arguments); };
     }});

}  // namespace

}  // namespace trainmark
