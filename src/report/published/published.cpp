#include "report/published/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/json_fields.h"
#include "base/step.h"
#include "base/text.h"
#include "base/time.h"
#include "base/verdict_names.h"
#include "journal/foreign.h"
#include "journal/journal.h"
#include "report/published/csv_rows.h"
#include "suite/yaml_reader.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = 16 << 20;
constexpr const char* published_environment = "published";

const std::vector<std::string> needed_columns = {"workload",   "framework", "precision", "batch",
                                                 "throughput", "unit",      "source"};
const std::vector<std::string> further_columns = {
    "size",       "device",           "scale",    "resolution", "sequence",      "classes",
    "accumulate", "seconds_to_train", "accuracy", "parameters", "gradient_bytes"};

/// One line of the file, and words for what is wrong with it.
class PublishedLine {
 public:
  PublishedLine(const fs::path& file, std::size_t number, std::map<std::string, std::string> fields)
      : file_(file), number_(number), fields_(std::move(fields)) {}

  [[noreturn]] void fail(const std::string& words) const {
    throw UserError(fmt::format("{}:{}: {}", file_.string(), number_, words));
  }

  std::string text(const std::string& name, const std::string& otherwise = "") const {
    const auto found = fields_.find(name);
    return found == fields_.end() || found->second.empty() ? otherwise : found->second;
  }

  std::string needed(const std::string& name) const {
    std::string value = text(name);
    if (value.empty()) fail(fmt::format("'{}' is empty; every figure has one", name));
    if (name != "source" && name != "framework") check_slash(name, value);
    return value;
  }

  std::string size() const {
    std::string value = text("size", "full");
    check_slash("size", value);
    return value;
  }

  std::string device() const {
    std::string value = text("device", "cuda");
    // The nearest name to "gpu" is "cpu", which is not what was meant: both are named.
    if (value != "cpu" && value != "cuda")
      fail(fmt::format("unknown device '{}'; write cpu or cuda", printable(value)));
    return value;
  }

  std::optional<double> number(const std::string& name) const {
    const std::string value = text(name);
    if (value.empty() || value == "-") return std::nullopt;
    if (value.ends_with('%') && name != "accuracy")
      fail(
          fmt::format("{}: '{}' is a percentage; write the figure itself", name, printable(value)));
    const auto parsed = parse_real(value);
    if (!parsed || !(*parsed > 0) || *parsed > largest_figure)
      fail(fmt::format("{}: '{}' is not a number above 0 and up to {:g}", name, printable(value),
                       largest_figure));
    return parsed;
  }

  int whole(const std::string& name, int otherwise) const {
    const std::string value = text(name);
    if (value.empty()) return otherwise;
    const auto parsed = parse_integer(value);
    if (!parsed || *parsed < 1 || *parsed > 100'000'000)
      fail(fmt::format("{}: '{}' is not a whole number of at least 1", name, printable(value)));
    return static_cast<int>(*parsed);
  }

 private:
  /// It parts what a cell's key consists of.
  void check_slash(const std::string& name, const std::string& value) const {
    if (value.find('/') != std::string::npos)
      fail(fmt::format("'{}' holds a '/': {}", name, printable(value)));
  }

  const fs::path& file_;
  std::size_t number_;
  std::map<std::string, std::string> fields_;
};

void check_columns(const std::vector<std::string>& columns, const PublishedLine& line) {
  std::vector<std::string> known = needed_columns;
  known.insert(known.end(), further_columns.begin(), further_columns.end());
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (std::find(known.begin(), known.end(), *column) == known.end())
      line.fail(
          fmt::format("unknown column '{}'; {}", printable(*column), suggest(*column, known)));
    if (std::find(columns.begin(), column, *column) != column)
      line.fail(fmt::format("column '{}' appears twice; remove one of them", *column));
  }
  for (const std::string& column : needed_columns)
    if (std::find(columns.begin(), columns.end(), column) == columns.end())
      line.fail(fmt::format("there is no column '{}'; the first line names the columns: {}", column,
                            join(needed_columns, ",")));
}

PublishedFigure figure_of(const PublishedLine& line) {
  PublishedFigure figure;
  figure.cell.workload = line.needed("workload");
  figure.cell.size = line.size();
  figure.cell.framework = line.needed("framework");
  figure.cell.precision = line.needed("precision");
  figure.cell.batch = line.whole("batch", unknown_batch);
  figure.cell.accumulate =
      line.text("accumulate") == "?" ? unknown_accumulate : line.whole("accumulate", 1);
  for (const char* shape : {"resolution", "sequence", "classes"})
    if (const int value = line.whole(shape, 0); value > 0) figure.cell.shapes[shape] = value;
  figure.cell.device = line.device();
  const auto scale = Scale::parse(line.text("scale", "1n1g"));
  if (!scale)
    line.fail(fmt::format("scale: '{}'; write nodes and GPUs per node, such as 4n8g",
                          printable(line.text("scale"))));
  figure.cell.scale = *scale;
  figure.throughput = line.number("throughput").value_or(0);
  figure.unit = line.needed("unit");
  figure.source = line.needed("source");
  figure.seconds_to_train = line.number("seconds_to_train");
  figure.accuracy = line.number("accuracy");
  figure.parameters = line.number("parameters");
  figure.gradient_bytes = line.number("gradient_bytes");
  return figure;
}

/// Its number and round are given later.
RunRecord record_of_published(const PublishedFigure& figure) {
  RunRecord run;
  run.cell = figure.cell;
  run.ok = true;
  run.started = utc_now();
  run.environment = published_environment;
  run.unit = figure.unit;
  run.rule = "published";
  run.summary.throughput.value = figure.throughput;
  run.summary.throughput.interval = {0, std::numeric_limits<double>::infinity()};
  run.summary.throughput.relative_error = std::numeric_limits<double>::infinity();
  run.summary.mean_of_rates = run.summary.median_of_rates = figure.throughput;
  run.summary.stopped = "ended";
  nlohmann::json facts = {{"source", figure.source}};
  if (figure.seconds_to_train) facts["seconds_to_train"] = *figure.seconds_to_train;
  if (figure.accuracy) facts["accuracy"] = *figure.accuracy;
  run.trainer = {{"foreign", true}, {"published", std::move(facts)}};
  if (figure.parameters) run.trainer["parameters"] = *figure.parameters;
  run.verdicts = {{verdicts::foreign, "not measured by Trainmark: published in " + figure.source}};
  settle_unknown(run.cell, run.verdicts);
  return run;
}

/// What makes two published figures the same one; empty for other runs.
std::string identity_of(const RunRecord& run) {
  const nlohmann::json* facts = json_field(run.trainer, "published");
  if (facts == nullptr) return "";
  return fmt::format("{} {} {} {}", run.cell.key(), run.summary.throughput.value, run.unit,
                     json_line(*facts));
}

}  // namespace

std::vector<PublishedFigure> read_published(const fs::path& file) {
  const std::string text = read_file(file, largest_file);
  std::vector<std::string> columns;
  std::vector<PublishedFigure> figures;
  for (const auto& [number, fields] : csv_rows(text, file)) {
    if (columns.empty()) {
      columns = fields;
      check_columns(columns, {file, number, {}});
      continue;
    }
    std::map<std::string, std::string> named;
    if (fields.size() != columns.size()) {
      PublishedLine(file, number, {})
          .fail(fmt::format("{}, but {}", counted(fields.size(), "field"),
                            counted(columns.size(), "column")));
    }
    for (std::size_t i = 0; i < fields.size(); ++i) named[columns[i]] = fields[i];
    const PublishedFigure figure = figure_of({file, number, std::move(named)});
    if (figure.throughput > 0) figures.push_back(figure);  // "-": not published
  }
  if (figures.empty())
    throw UserError(fmt::format("{} holds no figure; its first line names the columns: {}",
                                file.string(), join(needed_columns, ",")));
  return figures;
}

AddedFigures add_published_runs(const fs::path& folder,
                                const std::vector<PublishedFigure>& figures) {
  UnmeasuredRuns runs(folder, {.name = "published",
                               .title = "Published figures",
                               .environment = published_environment,
                               .identity = identity_of});
  for (const PublishedFigure& figure : figures) runs.add(record_of_published(figure));
  return runs.write();
}

PublishedResults::PublishedResults(const std::vector<PublishedFigure>& figures) {
  for (const PublishedFigure& figure : figures)
    contents_.runs.push_back(record_of_published(figure));
  results_ = results_of(contents_);
}

std::optional<double> published_fact(const RunRecord& run, const char* name) {
  if (!run.trainer.is_object()) return std::nullopt;
  const auto published = run.trainer.find("published");
  if (published == run.trainer.end() || !published->is_object()) return std::nullopt;
  const auto fact = published->find(name);
  if (fact == published->end() || !fact->is_number()) return std::nullopt;
  return fact->get<double>();
}

}  // namespace trainmark
