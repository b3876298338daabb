#include "logs/describe_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/verdict_names.h"

namespace trainmark {

namespace {

struct NumberFact {
  std::optional<int> value;
  std::string source;
  bool hint = false;
};

NumberFact said(const Facts& facts, std::string_view name) {
  const auto found = facts.find(name);
  if (found == facts.end()) return {};
  return {number_fact(facts, name), found->second.source, found->second.is_hint()};
}

/// Total GPUs; launchers print those of one node, and the number of nodes beside it.
NumberFact gpus_said(const Facts& facts) {
  if (NumberFact total = said(facts, "gpus"); total.value) return total;
  NumberFact per_node = said(facts, "per_node");
  const NumberFact nodes = said(facts, "nodes");
  if (per_node.value && nodes.value) {
    per_node.value = *per_node.value * *nodes.value;
    per_node.source += "; " + nodes.source;
    per_node.hint = false;
  }
  return per_node;
}

/// Batch size of one GPU; some programs print that of all of them.
NumberFact batch_said(const Facts& facts, const Dialect& dialect, std::optional<int> gpus) {
  NumberFact batch = said(facts, "batch");
  const bool global = dialect.batch_is_global || dialect.items_from == ItemsFrom::job_batch;
  if (dialect.items_from == ItemsFrom::records) return {};
  if (batch.value && !global) return batch;
  if (!batch.value) batch = said(facts, "global_batch");
  if (!batch.value || !gpus || *batch.value % *gpus != 0) return {};
  batch.value = *batch.value / *gpus;
  batch.source += fmt::format(" (of all {} GPUs)", *gpus);
  return batch;
}

void settle(LogFigure& figure, const char* name, const char* differs, std::optional<int>& place,
            const std::optional<int>& wanted, const GivenFacts& given, const NumberFact& fact) {
  place = wanted ? wanted : fact.value;
  if (!place) return;
  figure.taken_from[name] = wanted ? given.source(name) : fact.source;
  if (wanted && fact.value && *fact.value != *wanted &&
      !(fact.hint && *wanted % *fact.value == 0)) {
    figure.verdicts.push_back(
        {differs, fmt::format("{} says {}, the log says {} ({}); the figure uses the first",
                              given.source(name), *wanted, *fact.value, fact.source)});
  }
}

void settle_words(LogFigure& figure, const char* name, std::string& place, const Facts& facts,
                  const std::string& wanted, const GivenFacts& given) {
  const auto found = facts.find(name);
  place = !wanted.empty() ? wanted : found == facts.end() ? "" : found->second.value;
  if (place.empty()) return;
  figure.taken_from[name] = wanted.empty() ? found->second.source : given.source(name);
}

bool fits(const std::optional<int>& wanted, const NumberFact& fact) {
  return !wanted || !fact.value || *wanted == *fact.value;
}

}  // namespace

void describe_job(LogFigure& figure, const Facts& facts, const Dialect& dialect,
                  const GivenFacts& given) {
  const NumberFact gpus = gpus_said(facts);
  settle(figure, "gpus", verdicts::gpus_differs, figure.gpus, given.gpus, given, gpus);
  if (!given.gpus && gpus.value && gpus.hint) {
    figure.verdicts.push_back(
        {verdicts::gpus_uncertain, fmt::format("the number of GPUs, {}, is only inferred ({}): "
                                               "launchers print those of one node. Check it, or "
                                               "write --gpus N",
                                               *gpus.value, gpus.source)});
  }
  settle(figure, "nodes", verdicts::nodes_differs, figure.nodes, given.nodes, given,
         said(facts, "nodes"));
  settle(figure, "batch", verdicts::batch_differs, figure.batch, given.batch, given,
         batch_said(facts, dialect, figure.gpus));
  settle_words(figure, "precision", figure.precision, facts, given.precision, given);
  settle_words(figure, "model", figure.model, facts, "", given);
  settle_words(figure, "machine", figure.machine, facts, "", given);
  constexpr std::string_view version = "version.";
  for (const auto& [name, fact] : facts) {
    if (!name.starts_with(version)) continue;
    figure.versions[name.substr(version.size())] = fact.value;
    figure.taken_from[name] = fact.source;
  }
  if (!given.unit.empty()) {
    figure.unit = given.unit;
    figure.taken_from["unit"] = given.source("unit");
  }
}

double job_factor(LogFigure& figure) {
  if (figure.scope == Scope::job) return 1;
  const bool rank = figure.scope == Scope::rank;
  const std::optional<int>& count = rank ? figure.gpus : figure.nodes;
  if (count) return *count;
  figure.verdicts.push_back(
      {rank ? verdicts::gpus_unknown : verdicts::nodes_unknown,
       fmt::format("the log prints the rate of one {0}, and does not say how many there were; the "
                   "figure is that of one. Write --{1} N",
                   rank ? "GPU" : "node", rank ? "gpus" : "nodes")});
  return 1;
}

namespace {

double steady_items(const LogFigure& figure, const Facts& facts) {
  if (!figure.batch) return not_known;
  double items = *figure.batch;
  if (figure.scope == Scope::job) {
    if (!figure.gpus) return not_known;
    items *= *figure.gpus;
  }
  return items * number_fact(facts, "accumulate").value_or(1);
}

}  // namespace

double items_of_step(LogFigure& figure, const Facts& facts, const Dialect& dialect,
                     const GivenFacts& given) {
  if (dialect.counted == Counted::steady) return steady_items(figure, facts);
  const int ranks = figure.scope == Scope::job ? figure.gpus.value_or(1) : 1;
  if (given.batch) return static_cast<double>(*given.batch) * ranks;
  const auto batch = number_fact(facts, "batch");
  if (!batch || dialect.items_from == ItemsFrom::records) return not_known;
  if (dialect.items_from == ItemsFrom::job_batch) return *batch;
  if (!figure.gpus) {
    figure.verdicts.push_back({verdicts::gpus_unknown,
                               "the log prints the batch size of one process, and does not say how "
                               "many there were; the figure is that of one. Write --gpus N"});
  }
  return static_cast<double>(*batch) * ranks;
}

bool prints_times_only(std::span<const Record> records, const Dialect& dialect) {
  const bool of_steps = dialect.scope == Scope::job && !dialect.running_mean &&
                        dialect.headline == RecordKind::step && !records.empty();
  return of_steps && std::all_of(records.begin(), records.end(), [](const Record& record) {
           return record.kind == RecordKind::step && positive(record.seconds) &&
                  !positive(record.rate) && !positive(record.items);
         });
}

std::size_t choose_run(const LogContents& contents, const GivenFacts& given) {
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < contents.runs.size(); ++i)
    if (fits(given.gpus, gpus_said(contents.runs[i].facts))) fitting.push_back(i);
  if (fitting.empty())
    for (std::size_t i = 0; i < contents.runs.size(); ++i) fitting.push_back(i);
  std::size_t longest = 0;
  for (const std::size_t run : fitting) longest = std::max(longest, contents.runs[run].records);
  const std::size_t fragment = contents.counted == Counted::steady ? 2 : 1;
  const auto last = std::find_if(fitting.rbegin(), fitting.rend(), [&](std::size_t run) {
    return fragment * contents.runs[run].records >= longest;
  });
  return last != fitting.rend() ? *last : fitting.back();
}

}  // namespace trainmark
