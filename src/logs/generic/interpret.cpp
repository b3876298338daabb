#include "logs/generic/interpret.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "logs/generic/counter_words.h"
#include "logs/generic/quantity_words.h"
#include "logs/generic/time_choice.h"

namespace trainmark {

namespace {

// What the moments of lines must agree with to count as a second witness; beyond the second limit
// they contradict.
constexpr double agree_limit = 0.03;
constexpr double contradict_limit = 0.1;
constexpr std::size_t few_records = 6;
constexpr std::size_t many_records = 20;

class Interpreter {
 public:
  explicit Interpreter(const LineClass& kind) : facts_(kind), kind_(kind) {}

  std::optional<LogScheme> best() {
    if (facts_.prior() <= 0) return std::nullopt;
    const TimeChoice time = best_time(facts_);
    const auto [rate, rate_cost] = best_rate();
    // `1ms/sample` may be anything up to 2: the seconds of the whole pass know more.
    const bool too_coarse = rate_cost > 1 && time.column && time.cost < rate_cost;
    if (rate && !too_coarse) return with_rate(*rate, time);
    if (time.cost > 100) return std::nullopt;
    return with_time(time);
  }

 private:
  std::pair<std::optional<std::size_t>, double> best_rate() const {
    std::optional<std::size_t> best;
    double least = 1e9;
    for (std::size_t i = 0; i < kind_.columns.size(); ++i) {
      const FieldColumn& column = kind_.columns[i];
      if (column.kind != LineField::Kind::number) continue;
      const bool inverse = column.quantity.kind == QuantityKind::item_seconds;
      if (column.quantity.kind != QuantityKind::item_rate && !inverse) continue;
      if (is_part_or_other_phase(column.words) || !positive(facts_.typical_of(i))) continue;
      if (column.count < 2 && kind_.rows.size() > 2) continue;
      double cost = column.unit_behind ? 0 : 0.2;
      if (!is_running_mean(column.words) && (column.words.find("avg") != std::string::npos ||
                                             column.words.find("mean") != std::string::npos))
        cost += 0.3;
      if (is_mean_since_start(column)) cost += facts_.gap() > 1 ? -0.3 : 0.3;
      if (column.quantity.items == "items/s") cost += 0.2;
      if (column.words.find("gpu") != std::string::npos) cost += 0.2;
      const double share = column.resolution / std::max(facts_.typical_of(i), 1e-300);
      if (share > coarse_digit) cost += 20 * share;
      if (cost >= least) continue;
      least = cost;
      best = i;
    }
    return {best, least};
  }

  static bool is_mean_since_start(const FieldColumn& column) {
    return column.bracketed || is_running_mean(column.words);
  }

  /// tqdm's bar without a title.
  bool is_untitled_bar() const {
    return kind_.counter_words.empty() &&
           std::any_of(kind_.columns.begin(), kind_.columns.end(),
                       [](const FieldColumn& column) { return column.elapsed; });
  }

  /// The same without a loss, as anything draws it that takes long.
  bool is_bare_bar() const {
    return is_untitled_bar() &&
           std::none_of(kind_.columns.begin(), kind_.columns.end(), [](const FieldColumn& column) {
             return column.words.find("loss") != std::string::npos;
           });
  }

  bool has_several_totals() const {
    return std::any_of(kind_.rows.begin(), kind_.rows.end(), [&](const LineClass::Row& row) {
      return std::isfinite(row.total) && row.total != kind_.rows.front().total;
    });
  }

  /// Two totals, each in two passes or more: the training's and that of evaluations in between?
  bool has_alternating_totals() const {
    std::map<double, std::size_t> passes;
    double before = not_known;
    for (const LineClass::Row& row : kind_.rows) {
      if (!std::isfinite(row.total) || row.total == before) continue;
      ++passes[row.total];
      before = row.total;
    }
    return std::count_if(passes.begin(), passes.end(),
                         [](const auto& pass) { return pass.second >= 2; }) >= 2;
  }

  /// Arrival times are noted 20 times a second: between two lines they may be far off, and over all
  /// of them not.
  double agreement_of(const ReadingTrial& trial) const {
    const bool whole = facts_.columns().by_arrival && std::isfinite(trial.whole_agreement) &&
                       off_by(trial.whole_agreement) < off_by(trial.agreement);
    return whole ? trial.whole_agreement : trial.agreement;
  }

  LogScheme begin_scheme() const {
    LogScheme scheme;
    scheme.lead = kind_.lead;
    scheme.counter = kind_.counter;
    scheme.total = kind_.total;
    if (facts_.columns().epoch) scheme.epoch = kind_.columns[*facts_.columns().epoch].id;
    if (facts_.columns().wall) {
      scheme.wall = kind_.columns[*facts_.columns().wall].id;
      scheme.wall_is_milliseconds = facts_.columns().wall_is_milliseconds;
      scheme.wall_name = "the time stamps of the lines";
    }
    scheme.by_arrival = facts_.columns().by_arrival;
    if (facts_.columns().by_arrival) scheme.wall_name = "the arrival times of the lines";
    scheme.counter_name = kind_.counter == 0 ? ""
                          : !kind_.counter_words.empty()
                              ? kind_.counter_words
                              : (kind_.total != 0 ? "N of N/TOTAL" : "the number without a name");
    scheme.first_line = kind_.last_line;
    scheme.of_table = kind_.last_line.starts_with(TableRows::mark);
    return scheme;
  }

  std::string name_of(std::size_t index) const {
    const FieldColumn& column = kind_.columns[index];
    std::string name = column.words;
    if (column.unit_behind) name += (name.empty() ? "" : " … ") + column.unit;
    if (name.empty() && column.elapsed) name = "the bar's clock";
    if (name.empty()) name = column.bracketed ? "the number in brackets" : "a number";
    const std::size_t first = name.find_first_not_of(' ');
    return first == std::string::npos ? name : name.substr(first);
  }

  std::optional<LogScheme> with_rate(std::size_t rate, const TimeChoice& time) {
    LogScheme scheme = begin_scheme();
    const FieldColumn& column = kind_.columns[rate];
    scheme.rate = column.id;
    scheme.rate_is_item_seconds = column.quantity.kind == QuantityKind::item_seconds;
    scheme.rate_name = name_of(rate);
    scheme.unit = column.quantity.items.empty() ? "items/s" : column.quantity.items;
    scheme.rate_of_device = is_of_device(column.words) || is_of_device(column.unit);
    scheme.counts_items = column.of_bar;
    scheme.counts_samples = facts_.counts_samples();
    PaceRules rules = facts_.rules_for(rate);
    rules.rate_is_pass_mean = is_mean_since_start(column);
    rules.rate_resolution = column.resolution / std::max(facts_.typical_of(rate), 1e-300);
    TrialColumns columns = facts_.columns();
    columns.rate = rate;
    columns.rate_is_item_seconds = scheme.rate_is_item_seconds;
    // A time of the same kind makes the items of a step known.
    const bool fits = time.column && time.cost < 1.8 &&
                      (rules.rate_is_pass_mean ? time.rules.time == TimeMeaning::pass_mean
                                               : time.rules.time == TimeMeaning::per_step);
    if (fits) {
      rules.time = time.rules.time;
      rules.resolution = time.rules.resolution;
      columns.time = time.column;
      scheme.time = kind_.columns[*time.column].id;
      scheme.time_name = name_of(*time.column);
    }
    const ReadingTrial trial = try_reading(kind_, columns, rules, facts_.wall_resolution());
    if (trial.paces == 0) return std::nullopt;
    scheme.rules = rules;
    scheme.agreement = fits ? agreement_of(trial) : not_known;
    const bool items_fit = !fits || !(trial.items_spread > 0.02);
    judge(scheme, trial, true, fits && items_fit);
    return scheme;
  }

  std::optional<LogScheme> with_time(const TimeChoice& time) {
    LogScheme scheme = begin_scheme();
    if (time.column) {
      scheme.time = kind_.columns[*time.column].id;
      scheme.time_name = name_of(*time.column);
    }
    scheme.rules = time.rules;
    scheme.agreement = time.column ? agreement_of(time.trial) : not_known;
    scheme.counts_epochs = is_epoch_counter(kind_.counter_words) && time.column &&
                           kind_.columns[*time.column].quantity.kind != QuantityKind::step_seconds;
    if (!time.column && is_epoch_counter(kind_.counter_words)) scheme.counts_epochs = true;
    if (scheme.counts_epochs) scheme.unit = "epochs/s";
    scheme.counts_micro_steps = is_of_micro_step(kind_.counter_words);
    if (scheme.counts_micro_steps) scheme.unit = "micro-steps/s";
    scheme.counts_samples = facts_.counts_samples();
    if (scheme.counts_samples) scheme.unit = "samples/s";
    judge(scheme, time.trial, time.said, time.said && time.column.has_value());
    if (!time.said) {
      scheme.reasons.push_back(
          fmt::format("no word says what '{}' is a time of", scheme.time_name));
      if (!(off_by(scheme.agreement) < agree_limit) || !std::isfinite(scheme.agreement))
        scheme.confidence = Confidence::low;
    }
    return scheme;
  }

  /// `said`: the lines say what the number is; `timed`: and it is a time of steps.
  void judge(LogScheme& scheme, const ReadingTrial& trial, bool said, bool timed) {
    scheme.records = trial.paces;
    const bool other_work = is_other_work(kind_.lead_text) || is_other_work(kind_.counter_words);
    const auto count = static_cast<double>(trial.paces);
    double span = trial.seconds > 0 && scheme.rate == 0 ? trial.seconds : trial.wall_span;
    if (!(span > 0)) span = trial.seconds > 0 ? trial.seconds : count;
    if (kind_.counter == 0) span = count;
    double worth = scheme.rate != 0 ? 1.2 : said ? 1 : 0.6;
    if (scheme.rate == 0 && scheme.time == 0) worth = 0.35;
    scheme.score = facts_.prior() * worth * count / (count + 6) * std::pow(1 + span, 0.35) *
                   (other_work ? 0.03 : 1);

    scheme.confidence = Confidence::medium;
    const double off = off_by(scheme.agreement);
    const bool witnessed = std::isfinite(scheme.agreement) && off <= agree_limit &&
                           off_by(trial.whole_agreement) <= contradict_limit;
    if (witnessed) {
      scheme.reasons.push_back(
          fmt::format("{} agree within {:.1f} %", scheme.wall_name, std::max(0.1, 100 * off)));
      // Whose a rate of items is, one rank's or all, the lines do not say.
      // What a bar without a name counts, nothing says.
      if (timed && scheme.rate == 0 && trial.paces >= many_records && facts_.prior() >= 0.8 &&
          kind_.counter != 0 && !is_bare_bar())
        scheme.confidence = Confidence::high;
    }
    if (scheme.rules.parts > 1 && scheme.rules.time == TimeMeaning::per_step)
      scheme.reasons.push_back(fmt::format("the times of {} lines with the same '{}' are added up",
                                           scheme.rules.parts, scheme.counter_name));
    const auto doubt = [&](std::string why) {
      scheme.confidence = Confidence::low;
      scheme.reasons.push_back(std::move(why));
    };
    if (std::isfinite(scheme.agreement) && off > contradict_limit)
      doubt(fmt::format("by {}, it took {:.2g} times as long", scheme.wall_name,
                        1 / scheme.agreement));
    if (trial.paces < few_records) doubt(fmt::format("only {} of them", trial.paces));
    if (kind_.counter == 0) doubt("no counter");
    if (facts_.prior() < 0.5 && kind_.counter != 0) doubt("the counter is a guess");
    if (other_work) doubt("the lines may not be about training");
    if (is_untitled_bar() && has_several_totals())
      doubt("bars of several lengths, some of which may be evaluations");
    else if (has_alternating_totals())
      doubt("totals that take turns, some of which may be those of evaluations");
  }

  const ClassFacts facts_;
  const LineClass& kind_;
};

}  // namespace

std::optional<LogScheme> interpret(const LineClass& kind) {
  return Interpreter(kind).best();
}

}  // namespace trainmark
