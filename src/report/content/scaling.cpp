#include "report/content/scaling.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/text.h"
#include "logs/scaling.h"
#include "report/content/figures.h"
#include "report/published/published.h"

namespace trainmark {

namespace {

/// What must be equal for two scales to be compared.
Cell without_scale(Cell cell) {
  cell.scale = Scale{};
  return cell;
}

bool is_smaller(const Result* left, const Result* right) {
  const auto order = [](const Result* result) {
    return std::pair(result->cell.scale.ranks(), result->cell.scale);
  };
  return order(left) < order(right);
}

/// A column that is there where any result of a series tells it.
struct OptionalColumn {
  Word title;
  std::function<std::optional<std::string>(const Result&)> text;
};

std::optional<std::string> optional_share(const std::optional<double>& share) {
  if (!share) return std::nullopt;
  return share_text(share);
}

std::optional<std::string> published_text(const Result& result, const char* name) {
  const auto value = published_fact(*result.runs.front(), name);
  if (!value) return std::nullopt;
  return figure(*value);
}

const std::vector<OptionalColumn>& optional_columns() {
  static const std::vector<OptionalColumn> columns = {
      {Word::communication,
       [](const Result& result) { return optional_share(result.communication); }},
      {Word::exposed, [](const Result& result) { return optional_share(result.exposed); }},
      {Word::time_to_train,
       [](const Result& result) { return published_text(result, "seconds_to_train"); }},
      {Word::accuracy, [](const Result& result) { return published_text(result, "accuracy"); }}};
  return columns;
}

void add_optional_columns(Table& table, const ScalingSeries& series, Language language) {
  for (const OptionalColumn& column : optional_columns()) {
    const bool told =
        std::any_of(series.results.begin(), series.results.end(),
                    [&](const Result* result) { return column.text(*result).has_value(); });
    if (!told) continue;
    table.columns.push_back({std::string(say(column.title, language)), Align::right, 50, 0});
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      table.rows[row].emplace_back(column.text(*series.results[row]).value_or("-"));
  }
}

/// What cells of one workload may differ in, beside batch, precision and scale.
std::vector<std::string> properties_of(const Cell& cell) {
  const std::string accumulate =
      cell.accumulate == unknown_accumulate ? "a?" : fmt::format("a{}", cell.accumulate);
  return {cell.framework, cell.size_text(), cell.device, accumulate};
}

/// The names that the scripts' output has for cells: as short as tells a workload's cells apart.
class ModelNames {
 public:
  explicit ModelNames(const std::vector<Result>& results) {
    for (const Result& result : results) {
      std::vector<std::set<std::string>>& found = found_[result.cell.workload];
      const std::vector<std::string> properties = properties_of(result.cell);
      found.resize(properties.size());
      for (std::size_t i = 0; i < properties.size(); ++i) found[i].insert(properties[i]);
    }
  }

  std::string of(const Cell& cell) const {
    std::string name = cell.workload;
    const std::vector<std::set<std::string>>& found = found_.at(cell.workload);
    const std::vector<std::string> properties = properties_of(cell);
    for (std::size_t i = 0; i < properties.size(); ++i)
      if (found[i].size() > 1) name += "_" + properties[i];
    return name;
  }

 private:
  std::map<std::string, std::vector<std::set<std::string>>> found_;  // values of each property
};

}  // namespace

std::vector<ScalingSeries> scaling_series(const std::vector<const Result*>& results) {
  std::vector<ScalingSeries> all;
  std::map<Cell, std::size_t> places;
  for (const Result* result : results) {
    if (result->runs.empty()) continue;
    const auto [place, is_new] = places.try_emplace(without_scale(result->cell), all.size());
    if (is_new) all.emplace_back();
    all[place->second].results.push_back(result);
  }
  std::erase_if(all, [](const ScalingSeries& series) { return series.results.size() < 2; });
  for (ScalingSeries& series : all)
    std::stable_sort(series.results.begin(), series.results.end(), is_smaller);
  return all;
}

Table scaling_table(const ScalingSeries& series, Language language) {
  const Word counted = series.cell().device == "cuda" ? Word::device_count : Word::rank_count;
  Table table;
  const auto add_column = [&](const std::string& title) {
    table.columns.push_back({title, Align::right, 50, 0});
  };
  for (const Word word : {Word::node_count, counted}) add_column(std::string(say(word, language)));
  add_column(series.results.front()->unit + "/s");
  for (const Word word : {Word::speedup, Word::efficiency})
    add_column(std::string(say(word, language)));
  for (const Result* result : series.results) {
    const Scale scale = result->cell.scale;
    table.rows.push_back({std::to_string(scale.nodes), std::to_string(scale.ranks()),
                          figure(result->throughput.median), ratio_text(result->speedup),
                          ratio_text(result->efficiency)});
  }
  add_optional_columns(table, series, language);
  return table;
}

nlohmann::json scaling_of(const std::vector<Result>& results) {
  const ModelNames names(results);
  std::vector<ScalingCase> cases;
  for (const Result& result : results) {
    if (result.runs.empty()) continue;
    const Cell& cell = result.cell;
    ScalingCase scaling;
    scaling.model = names.of(cell);
    scaling.series = scaling.family = key_at_any_scale(cell);
    scaling.batch = cell.batch;
    scaling.precision = cell.precision;
    scaling.unit = result.unit + "/s";
    scaling.scale = cell.scale;
    for (const RunSummary& run : summaries(result)) scaling.speeds.push_back(run.throughput.value);
    add_up(scaling);
    cases.push_back(std::move(scaling));
  }
  add_speedups(cases);
  return scaling_json(cases);
}

std::string share_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

}  // namespace trainmark
