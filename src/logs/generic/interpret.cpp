#include "logs/generic/interpret.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "logs/generic/counter_words.h"
#include "logs/generic/trial.h"

namespace trainmark {

namespace {

// What the moments of lines must agree with to count as a second witness; beyond the second limit
// they contradict.
constexpr double agree_limit = 0.03;
constexpr double contradict_limit = 0.1;
// Relative worth of the last digit beyond which a number is coarse.
constexpr double coarse = 0.01;
constexpr std::size_t few_records = 6;
constexpr std::size_t many_records = 20;

double off_by(double ratio) {
  return std::isfinite(ratio) && ratio > 0 ? std::abs(std::log(ratio)) : 0;
}

/// One way to read a time, and what speaks against it.
struct TimeChoice {
  std::optional<std::size_t> column;
  PaceRules rules;
  double cost = 1e9;
  ReadingTrial trial;
  bool said = false;  // the line itself says what kind of time it is
};

class Interpreter {
 public:
  explicit Interpreter(const LineClass& kind) : kind_(kind) {}

  std::optional<LogScheme> best() {
    prior_ = counter_prior();
    if (prior_ <= 0) return std::nullopt;
    find_epoch();
    find_wall();
    find_gaps();
    const TimeChoice time = best_time();
    const auto [rate, rate_cost] = best_rate();
    // `1ms/sample` may be anything up to 2: the seconds of the whole pass know more.
    const bool too_coarse = rate_cost > 1 && time.column && time.cost < rate_cost;
    if (rate && !too_coarse) return with_rate(*rate, time);
    if (time.cost > 100) return std::nullopt;
    return with_time(time);
  }

 private:
  double counter_prior() const {
    if (kind_.counter == 0) return kind_.rows.size() >= 1 ? 0.1 : 0;
    const std::string& words = kind_.counter_words;
    if (is_no_counter(words)) return 0;
    const bool counts = kind_.rises >= 2 || kind_.full >= 2;
    if (!counts) return 0;
    double prior = words.empty() ? 0.4 : 0.2;
    if (is_epoch_counter(words)) prior = 0.25;
    if (is_step_counter(words)) prior = 1;
    if (words.find("micro") != std::string::npos) prior = 0.9;
    if (kind_.total != 0 && !is_epoch_counter(words)) prior = std::max(prior, 0.85) * 1.1;
    // A counter rises from line to line; what falls as often is none, unless it begins again.
    const double ups = static_cast<double>(kind_.rises);
    const double downs = static_cast<double>(kind_.falls);
    const bool full = 3 * kind_.full > kind_.rows.size();
    return full ? prior : prior * (ups - downs) / std::max(1.0, ups + downs);
  }

  void find_epoch() {
    for (std::size_t i = 0; i < kind_.columns.size() && !columns_.epoch; ++i) {
      const FieldColumn& column = kind_.columns[i];
      if (column.whole && column.kind == LineField::Kind::number && !column.behind_slash &&
          is_epoch_counter(column.words) && 2 * column.count > kind_.rows.size())
        columns_.epoch = i;
    }
    for (std::size_t i = 0; i < kind_.columns.size() && !columns_.epoch; ++i)
      if (is_unnamed_epoch(i)) columns_.epoch = i;
  }

  /// `[3/300][340/390]`: it stands still while the counter rises.
  bool is_unnamed_epoch(std::size_t index) const {
    const FieldColumn& column = kind_.columns[index];
    if (!column.whole || !column.before_slash || kind_.total == 0 || column.id == kind_.total ||
        column.quantity.kind != QuantityKind::plain || column.count < kind_.rows.size())
      return false;
    std::size_t stays = 0;
    std::size_t moves = 0;
    for (std::size_t i = 1; i < kind_.rows.size(); ++i) {
      if (kind_.rows[i].counter <= kind_.rows[i - 1].counter) continue;
      const bool same = kind_.at(kind_.rows[i], index) == kind_.at(kind_.rows[i - 1], index);
      (same ? stays : moves) += 1;
    }
    return stays > 2 && stays >= 50 * moves;
  }

  /// Goes forward with the lines, nearly always.
  bool rises(std::size_t column) const {
    std::size_t ups = 0;
    std::size_t downs = 0;
    double before = not_known;
    for (const LineClass::Row& row : kind_.rows) {
      const double value = kind_.at(row, column);
      if (value > before) ++ups;
      if (value < before) ++downs;
      if (std::isfinite(value)) before = value;
    }
    return ups > 0 && ups >= 20 * downs;
  }

  void find_wall() {
    double best = 0;
    for (std::size_t i = 0; i < kind_.columns.size(); ++i) {
      const FieldColumn& column = kind_.columns[i];
      if (10 * column.count < 9 * kind_.rows.size()) continue;
      const double typical = kind_.rows.empty() ? 0 : kind_.at(kind_.rows.back(), i);
      const bool seconds = typical > 9e8 && typical < 3e9;
      const bool milliseconds = typical > 9e11 && typical < 3e12;
      double worth = 0;
      if (column.kind == LineField::Kind::stamp) worth = 3;
      if (column.kind == LineField::Kind::clock && column.front && !column.elapsed) worth = 2;
      if (column.kind == LineField::Kind::number && (seconds || milliseconds) &&
          (column.front || column.words.find("time") != std::string::npos || column.words == "ts"))
        worth = 2.5;
      if (worth > 0 && column.resolution < 1) worth += 0.5;
      if (worth <= best || !rises(i)) continue;
      best = worth;
      columns_.wall = i;
      columns_.wall_is_milliseconds = column.kind == LineField::Kind::number && milliseconds;
      wall_resolution_ = column.resolution / (columns_.wall_is_milliseconds ? 1000 : 1);
    }
    if (columns_.wall || kind_.rows.size() < 2) return;
    if (kind_.rows.back().arrival > kind_.rows.front().arrival) {
      columns_.by_arrival = true;
      wall_resolution_ = 1e-3;
    }
  }

  bool has_wall() const { return columns_.wall || columns_.by_arrival; }

  void find_gaps() {
    std::vector<double> gaps;
    double least = 1e300;
    for (std::size_t i = 0; i < kind_.rows.size(); ++i) {
      least = std::min(least, kind_.rows[i].counter);
      if (i > 0 && kind_.rows[i].counter > kind_.rows[i - 1].counter)
        gaps.push_back(kind_.rows[i].counter - kind_.rows[i - 1].counter);
    }
    gap_ = gaps.empty() ? 1 : middle(gaps);
    base_.counted = kind_.counter != 0;
    // 0, 10, 20 and 9, 19, 29 begin with 0; 10, 20, 30 with 1.
    const bool before_round = gap_ > 1 && std::fmod(least + 1, gap_) == 0;
    base_.zero_based = least == 0 || (before_round && std::fmod(least, gap_) != 0);
  }

  /// The rules for lines that have this column: those without it do not count.
  PaceRules rules_for(std::optional<std::size_t> column) const {
    PaceRules rules = base_;
    std::size_t rows = 0;
    std::size_t full = 0;
    std::size_t moves = 0;
    double before = not_known;
    for (const LineClass::Row& row : kind_.rows) {
      if (column && !std::isfinite(kind_.at(row, *column))) continue;
      ++rows;
      full += row.counter == row.total ? 1 : 0;
      moves += row.counter != before ? 1 : 0;
      before = row.counter;
    }
    rules.full_passes = rows > 0 && 10 * full >= 9 * rows && 2 * moves < rows + 2;
    return rules;
  }

  double typical_of(std::size_t column) const {
    std::vector<double> values;
    for (const LineClass::Row& row : kind_.rows) {
      const double value = kind_.at(row, column);
      if (std::isfinite(value)) values.push_back(value);
    }
    return middle(values);
  }

  // --- Times.

  TimeChoice best_time() {
    TimeChoice best;
    const auto consider = [&](TimeChoice choice) {
      if (choice.trial.paces >= 1 && choice.cost < best.cost) best = std::move(choice);
    };
    for (std::size_t i = 0; i < kind_.columns.size(); ++i) {
      const FieldColumn& column = kind_.columns[i];
      if (column.count < 2 && kind_.rows.size() > 2) continue;
      if (is_part_or_other_phase(column.words)) continue;
      if (columns_.wall && *columns_.wall == i) continue;
      for (const TimeMeaning meaning : meanings_of(i)) consider(try_time(i, meaning));
    }
    if (has_wall() && kind_.counter != 0) consider(try_wall());
    return best;
  }

  std::vector<TimeMeaning> meanings_of(std::size_t index) const {
    const FieldColumn& column = kind_.columns[index];
    using enum TimeMeaning;
    if (column.kind == LineField::Kind::clock)
      return column.elapsed || is_since_start(column.words) ||
                     column.words.find("time") != std::string::npos
                 ? std::vector{cumulative}
                 : std::vector<TimeMeaning>{};
    if (column.kind != LineField::Kind::number) return {};
    switch (column.quantity.kind) {
      case QuantityKind::step_seconds:
        return {column.bracketed ? pass_mean : per_step};
      case QuantityKind::epoch_seconds:
        return is_epoch_counter(kind_.counter_words) ? std::vector{per_step}
                                                     : std::vector<TimeMeaning>{};
      case QuantityKind::seconds:
        break;
      default:
        // `0.35 (0.36)` without a unit is named by the number in front of it.
        if (!column.bracketed || column.quantity.kind != QuantityKind::plain || index == 0)
          return {};
        return beside_time(index) ? std::vector{pass_mean} : std::vector<TimeMeaning>{};
    }
    std::vector<TimeMeaning> meanings;
    if (column.bracketed) return {pass_mean};
    meanings.push_back(per_step);
    if (gap_ > 1 || rules_for(index).full_passes) meanings.push_back(per_interval);
    meanings.push_back(cumulative);
    // That a time is a mean since the start, only the moments of the lines can tell.
    if (has_wall() && !column.unit_behind) meanings.push_back(pass_mean);
    return meanings;
  }

  /// Is the number in front of this one a time?
  bool beside_time(std::size_t index) const {
    const FieldColumn& column = kind_.columns[index];
    for (const FieldColumn& other : kind_.columns)
      if (other.order + 1 == column.order)
        return other.quantity.kind == QuantityKind::seconds && !is_part_or_other_phase(other.words);
    return false;
  }

  TimeChoice try_time(std::size_t index, TimeMeaning meaning) const {
    const FieldColumn& column = kind_.columns[index];
    TimeChoice choice;
    choice.column = index;
    choice.rules = rules_for(index);
    choice.rules.time = meaning;
    choice.rules.resolution = column.resolution;
    const bool since_start = is_since_start(column.words) || column.elapsed;
    if (meaning == TimeMeaning::cumulative) {
      const Course course = course_of(index, choice.rules);
      choice.rules.sum_restarts = course.restarts;
      if (!course.rises) return choice;
    }
    TrialColumns columns = columns_;
    columns.time = index;
    choice.trial = try_reading(kind_, columns, choice.rules, wall_resolution_);
    const bool step_said = column.quantity.kind == QuantityKind::step_seconds ||
                           column.quantity.kind == QuantityKind::epoch_seconds ||
                           is_of_step(column.words) || column.bracketed;
    choice.said = (meaning == TimeMeaning::per_step && step_said) ||
                  (meaning == TimeMeaning::pass_mean && column.bracketed) ||
                  (meaning == TimeMeaning::cumulative && since_start);
    double cost = choice.said ? 0 : 1;
    if (step_said && meaning != TimeMeaning::per_step && !column.bracketed) cost += 2;
    if (since_start && meaning == TimeMeaning::per_step) cost += gap_ > 1 ? 0.4 : 0.2;
    if (meaning == TimeMeaning::per_interval) cost += 0.3;
    if (meaning == TimeMeaning::cumulative && !since_start) cost += 0.2;
    if (!step_said && meaning == TimeMeaning::per_step && course_of(index, choice.rules).climbs)
      cost += 1.5;  // the time of a step does not grow from line to line
    if (meaning == TimeMeaning::cumulative) cost += 0.3;
    if (meaning == TimeMeaning::pass_mean && gap_ > 1) cost += column.bracketed ? -0.2 : 0.2;
    if (meaning == TimeMeaning::pass_mean && !column.bracketed &&
        !std::isfinite(choice.trial.agreement))
      return choice;
    if (!column.unit_behind && column.quantity.kind == QuantityKind::seconds) cost += 0.2;
    if (column.words.find("avg") != std::string::npos && !step_said) cost += 0.1;
    cost += coarseness_cost(index, meaning, choice.trial);
    cost += std::min(5 * off_by(choice.trial.agreement), choice.said ? 1.5 : 4.0);
    choice.cost = cost;
    return choice;
  }

  double coarseness_cost(std::size_t index, TimeMeaning meaning, const ReadingTrial& trial) const {
    const FieldColumn& column = kind_.columns[index];
    const bool sum = meaning == TimeMeaning::cumulative;
    const double worth = sum ? trial.seconds : typical_of(index);
    const double share = column.resolution / std::max(worth, 1e-300);
    return share > coarse ? std::min(3.0, 20 * share) : 0;
  }

  /// How a column goes on from line to line.
  struct Course {
    bool rises = false;     // within a pass, always
    bool climbs = false;    // and to several times what it began with
    bool restarts = false;  // with a pass
  };

  Course course_of(std::size_t index, const PaceRules& rules) const {
    std::size_t ups = 0;
    std::size_t downs = 0;
    std::size_t drops = 0;
    std::size_t keeps = 0;
    double before = not_known;
    double first = not_known;
    double most = 0;
    double counter = not_known;
    for (const LineClass::Row& row : kind_.rows) {
      const double value = kind_.at(row, index);
      if (!std::isfinite(value)) continue;
      if (!std::isfinite(first)) first = value;
      most = std::max(most, value);
      if (row.counter > counter && !rules.full_passes) {
        ups += value >= before ? 1 : 0;
        downs += value < before ? 1 : 0;
      } else if (row.counter < counter || rules.full_passes) {
        drops += value <= before ? 1 : 0;
        keeps += value > before ? 1 : 0;
      }
      before = value;
      counter = row.counter;
    }
    Course course;
    course.rises = rules.full_passes ? ups + drops + keeps > 0 : ups > 0 && ups >= 20 * downs;
    course.climbs = !rules.full_passes && course.rises && most > 2 * first;
    course.restarts = rules.full_passes ? drops > 0 : drops > keeps;
    return course;
  }

  TimeChoice try_wall() const {
    TimeChoice choice;
    choice.rules = rules_for(std::nullopt);
    choice.rules.time = TimeMeaning::wall;
    choice.rules.resolution = wall_resolution_;
    choice.trial = try_reading(kind_, columns_, choice.rules, wall_resolution_);
    choice.cost = 2.6;
    choice.said = true;
    if (choice.trial.paces < 2) choice.cost = 1e9;
    return choice;
  }

  // --- Rates.

  std::pair<std::optional<std::size_t>, double> best_rate() const {
    std::optional<std::size_t> best;
    double least = 1e9;
    for (std::size_t i = 0; i < kind_.columns.size(); ++i) {
      const FieldColumn& column = kind_.columns[i];
      if (column.kind != LineField::Kind::number) continue;
      const bool inverse = column.quantity.kind == QuantityKind::item_seconds;
      if (column.quantity.kind != QuantityKind::item_rate && !inverse) continue;
      if (is_part_or_other_phase(column.words) || !positive(typical_of(i))) continue;
      if (column.count < 2 && kind_.rows.size() > 2) continue;
      double cost = column.unit_behind ? 0 : 0.2;
      if (!is_running_mean(column.words) && (column.words.find("avg") != std::string::npos ||
                                             column.words.find("mean") != std::string::npos))
        cost += 0.3;
      if (is_mean_since_start(column)) cost += gap_ > 1 ? -0.3 : 0.3;
      if (column.quantity.items == "items/s") cost += 0.2;
      if (column.words.find("gpu") != std::string::npos) cost += 0.2;
      const double share = column.resolution / std::max(typical_of(i), 1e-300);
      if (share > coarse) cost += 20 * share;
      if (cost >= least) continue;
      least = cost;
      best = i;
    }
    return {best, least};
  }

  static bool is_mean_since_start(const FieldColumn& column) {
    return column.bracketed || is_running_mean(column.words);
  }

  // --- The result.

  LogScheme begin_scheme() const {
    LogScheme scheme;
    scheme.lead = kind_.lead;
    scheme.counter = kind_.counter;
    scheme.total = kind_.total;
    if (columns_.epoch) scheme.epoch = kind_.columns[*columns_.epoch].id;
    if (columns_.wall) {
      scheme.wall = kind_.columns[*columns_.wall].id;
      scheme.wall_is_milliseconds = columns_.wall_is_milliseconds;
      scheme.wall_name = "the time stamps of the lines";
    }
    scheme.by_arrival = columns_.by_arrival;
    if (columns_.by_arrival) scheme.wall_name = "the moments at which the lines came";
    scheme.counter_name = kind_.counter == 0 ? ""
                          : !kind_.counter_words.empty()
                              ? kind_.counter_words
                              : (kind_.total != 0 ? "N of N/TOTAL" : "the number without a name");
    scheme.first_line = kind_.last_line;
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
    PaceRules rules = rules_for(rate);
    rules.rate_is_pass_mean = is_mean_since_start(column);
    rules.rate_resolution = column.resolution / std::max(typical_of(rate), 1e-300);
    TrialColumns columns = columns_;
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
    const ReadingTrial trial = try_reading(kind_, columns, rules, wall_resolution_);
    if (trial.paces == 0) return std::nullopt;
    scheme.rules = rules;
    scheme.agreement = fits ? trial.agreement : not_known;
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
    scheme.agreement = time.column ? time.trial.agreement : not_known;
    scheme.counts_epochs = is_epoch_counter(kind_.counter_words) && time.column &&
                           kind_.columns[*time.column].quantity.kind != QuantityKind::step_seconds;
    if (!time.column && is_epoch_counter(kind_.counter_words)) scheme.counts_epochs = true;
    if (scheme.counts_epochs) scheme.unit = "epochs/s";
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
    scheme.score =
        prior_ * worth * count / (count + 6) * std::pow(1 + span, 0.35) * (other_work ? 0.03 : 1);

    scheme.confidence = Confidence::medium;
    const double off = off_by(scheme.agreement);
    const bool witnessed = std::isfinite(scheme.agreement) && off <= agree_limit &&
                           off_by(trial.whole_agreement) <= contradict_limit;
    if (witnessed) {
      scheme.reasons.push_back(
          fmt::format("{} agree within {:.1f} %", scheme.wall_name, std::max(0.1, 100 * off)));
      // Whose a rate of items is, one rank's or all, the lines do not say.
      if (timed && scheme.rate == 0 && trial.paces >= many_records && prior_ >= 0.8 &&
          kind_.counter != 0)
        scheme.confidence = Confidence::high;
    }
    const auto doubt = [&](std::string why) {
      scheme.confidence = Confidence::low;
      scheme.reasons.push_back(std::move(why));
    };
    if (std::isfinite(scheme.agreement) && off > contradict_limit)
      doubt(fmt::format("by {}, it took {:.2g} times as long", scheme.wall_name,
                        1 / scheme.agreement));
    if (trial.paces < few_records) doubt(fmt::format("only {} of them", trial.paces));
    if (kind_.counter == 0) doubt("no counter");
    if (prior_ < 0.5 && kind_.counter != 0) doubt("the counter is a guess");
    if (other_work) doubt("the lines may not be about training");
  }

  const LineClass& kind_;
  TrialColumns columns_;
  PaceRules base_;
  double prior_ = 0;
  double gap_ = 1;
  double wall_resolution_ = 0;
};

}  // namespace

std::optional<LogScheme> interpret(const LineClass& kind) {
  return Interpreter(kind).best();
}

}  // namespace trainmark
