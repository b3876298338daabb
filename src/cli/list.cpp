#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "base/version.h"
#include "base/wrapped.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/known_values.h"
#include "cli/show_report.h"
#include "data/formats/data_set.h"
#include "launch/describe.h"
#include "launch/launcher.h"
#include "logs/described/described.h"
#include "logs/grammar/dialect.h"
#include "measure/rule.h"
#include "report/content/report.h"
#include "suite/suite.h"

namespace trainmark {

namespace {

/// A line, which goes on in the next where the terminal is narrower.
template <class... Values>
void print_line(std::size_t indent, fmt::format_string<Values...> text, Values&&... values) {
  print_out("{}{}\n", std::string(indent, ' '),
            wrapped(fmt::format(text, std::forward<Values>(values)...), terminal_options().width,
                    indent + 2, indent));
}

/// The modes, each with its devices where it is not for all of them.
std::vector<std::string> modes_of(const WorkloadDescription& offer) {
  std::vector<std::string> modes = offer.modes;
  for (std::string& mode : modes) {
    const auto only = offer.mode_devices.find(mode);
    if (only != offer.mode_devices.end())
      mode += fmt::format(" ({} only)", join(only->second, ", "));
  }
  return modes;
}

void list_workloads() {
  const Catalog catalog = find_frameworks(home());
  for (const auto& name : catalog.workload_names()) {
    bool first = true;
    for (const auto& framework : catalog.frameworks) {
      const WorkloadDescription* offer = framework.find(name);
      if (offer == nullptr) continue;
      if (first) print_line(0, "{}: {}, in {}", name, offer->title, offer->unit);
      first = false;
      std::vector<std::string> sizes;
      for (const auto& [size, batch, shapes] : offer->sizes) {
        std::string numbers = fmt::format("batch {}", batch);
        for (const auto& [shape, value] : shapes)
          numbers += fmt::format(", {} {}", shape, shape_text(value));
        sizes.push_back(fmt::format("{} ({})", size, numbers));
      }
      print_line(2, "{}: modes {}; sizes {}", framework.name, join(modes_of(*offer), ", "),
                 join(sizes, ", "));
      for (const auto& [device, precisions] : offer->precisions) {
        print_line(4, "{}: {}", device, join(precisions, ", "));
      }
    }
  }
}

void list_frameworks() {
  for (const auto& framework : find_frameworks(home()).frameworks) {
    if (!framework.missing.empty()) {
      print_line(0, "{}: {}; {}", framework.name, framework.title, framework.missing);
      continue;
    }
    std::vector<std::string> versions;
    for (const auto& [name, version] : framework.description.versions)
      versions.push_back(name + " " + version);
    print_line(0, "{}: {}{}", framework.name, framework.title,
               versions.empty() ? "" : fmt::format(" ({})", join(versions, ", ")));
    for (const auto& device : framework.description.devices) {
      print_line(2, "{}: {}", device.name,
                 device.missing.empty() ? "can be used here" : device.missing);
    }
  }
}

void list_suites_here() {
  for (const auto& [name, title] : list_suites(home())) print_line(0, "{}: {}", name, title);
}

void list_rules() {
  for (const auto& [name, kind] : Registry<RuleKind>::all()) {
    print_line(0, "{}: {} ({})", name, kind.summary,
               counted(static_cast<std::size_t>(kind.rounds), "round"));
    for (const auto& parameter : kind.parameters) {
      print_line(2, "{} = {}: {}", parameter.name, parameter.value, parameter.meaning);
    }
  }
}

void list_dialects() {
  add_own_dialects();
  for (const auto& [name, dialect] : Registry<Dialect>::all()) {
    print_line(0, "{}: {}; prints for a {}{}", name, printable(dialect.summary),
               text(dialect.scope),
               dialect.file.empty() ? "" : fmt::format(" ({})", printable(dialect.file)));
    for (std::string line : split(dialect.sample, '\n')) {
      std::replace(line.begin(), line.end(), '\t', ' ');
      print_out("  {}\n", printable(line, 400));
    }
  }
}

template <class Kind>
void list_kinds() {
  for (const auto& [name, kind] : Registry<Kind>::all())
    print_line(0, "{}: {}", name, kind.summary);
}

std::vector<std::string> framework_names() {
  std::vector<std::string> names;
  for (const auto& framework : find_frameworks(home()).frameworks) names.push_back(framework.name);
  return names;
}

/// Something there are several of: in full, and by name.
struct ListKind {
  void (*print)();
  std::vector<std::string> (*names)();
};

const std::map<std::string, ListKind>& lists() {
  static const std::map<std::string, ListKind> all = {
      {"workloads", {list_workloads, [] { return find_frameworks(home()).workload_names(); }}},
      {"frameworks", {list_frameworks, framework_names}},
      {"suites", {list_suites_here, suite_names}},
      {"rules", {list_rules, Registry<RuleKind>::names}},
      {"dialects", {list_dialects, Registry<Dialect>::names}},
      {"data-formats", {list_kinds<data::Format>, Registry<data::Format>::names}},
      {"launchers", {list_kinds<LauncherKind>, Registry<LauncherKind>::names}},
      {"formats", {list_kinds<ReportFormat>, Registry<ReportFormat>::names}}};
  return all;
}

void print_index() {
  const std::size_t width = terminal_options().width;
  for (const auto& [name, kind] : lists())
    print_out(
        "{}\n",
        wrapped(fmt::format("{}: {}", name, printable(join(kind.names(), ", "), 1000)), width, 2));
  print_out(
      "\n`trainmark list NAME` shows one of these in full, such as `trainmark list rules`.\n");
}

int list(const std::string& what) {
  if (!what.empty()) {
    const auto found = lists().find(what);
    if (found == lists().end()) {
      throw UserError(fmt::format("there is no list of '{}'; {}", printable(what),
                                  suggest(what, list_names())));
    }
    found->second.print();
    return exit_well;
  }
  print_index();
  return exit_well;
}

const Registration<Subcommand> list_command(
    "list",
    {"list workloads, frameworks, suites, rules, dialects, launchers, formats, data-formats",
     [](CLI::App& app) -> std::function<int()> {
       auto what = std::make_shared<std::string>();
       app.add_option("what", *what, join(list_names(), ", ") + " (default: an index)");
       add_examples(app, {{"trainmark list frameworks", "which can be used here?"},
                          {"trainmark list suites", "what `trainmark run` can measure"}});
       return [what] { return list(*what); };
     }});

}  // namespace

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  for (const auto& [name, list] : lists()) names.push_back(name);
  return names;
}

}  // namespace trainmark
