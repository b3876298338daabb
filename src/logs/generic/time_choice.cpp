#include "logs/generic/time_choice.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "logs/generic/counter_words.h"
#include "logs/generic/quantity_words.h"

namespace trainmark {

namespace {

class TimeReader {
 public:
  explicit TimeReader(const ClassFacts& facts) : facts_(facts), kind_(facts.kind()) {}

  TimeChoice best() const {
    TimeChoice best;
    const auto consider = [&](const TimeChoice& choice) {
      if (choice.trial.paces >= 1 && choice.cost < best.cost) best = choice;
    };
    for (std::size_t i = 0; i < kind_.columns.size(); ++i) {
      const FieldColumn& column = kind_.columns[i];
      if (column.count < 2 && kind_.rows.size() > 2) continue;
      if (is_part_or_other_phase(column.words)) continue;
      if (facts_.columns().wall && *facts_.columns().wall == i) continue;
      for (const TimeMeaning meaning : meanings_of(i)) consider(try_time(i, meaning));
    }
    if (facts_.has_wall() && kind_.counter != 0) consider(try_wall());
    return best;
  }

 private:
  std::vector<TimeMeaning> meanings_of(std::size_t index) const {
    const FieldColumn& column = kind_.columns[index];
    using enum TimeMeaning;
    const bool counted = kind_.counter != 0;  // else nobody knows how many steps went by
    if (column.kind == LineField::Kind::clock) {
      const bool time = column.words.find("time") != std::string::npos ||
                        column.words.ends_with(" in") || column.words.ends_with("took");
      if (!counted) return {};
      if (column.elapsed || is_since_start(column.words)) return {cumulative};
      if (!time) return {};
      return is_epoch_counter(kind_.counter_words) ? std::vector{cumulative, per_step}
                                                   : std::vector{cumulative};
    }
    if (column.kind != LineField::Kind::number) return {};
    switch (column.quantity.kind) {
      case QuantityKind::step_seconds:
        // Several micro-steps make a step, and how many the line does not say.
        if ((is_of_micro_step(column.unit) || is_of_micro_step(column.words)) &&
            !is_of_micro_step(kind_.counter_words))
          return {};
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
    if (!facts_.counts_samples()) meanings.push_back(per_step);  // nobody times a sample
    if (!counted) return meanings;
    if (facts_.gap() > 1 || facts_.rules_for(index).full_passes) meanings.push_back(per_interval);
    meanings.push_back(cumulative);
    // That a time is a mean since the start, only the moments of the lines can tell.
    if (facts_.has_wall() && !column.unit_behind) meanings.push_back(pass_mean);
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
    choice.rules = facts_.rules_for(index);
    choice.rules.time = meaning;
    choice.rules.resolution = column.resolution;
    const bool since_start =
        is_since_start(column.words) || is_since_start(column.unit) || column.elapsed;
    const bool of_interval = is_of_interval(column.words) || is_of_interval(column.unit);
    if (meaning == TimeMeaning::cumulative) {
      const Course course = course_of(index, choice.rules);
      choice.rules.sum_restarts = course.restarts;
      if (!course.rises) return choice;
    }
    TrialColumns columns = facts_.columns();
    columns.time = index;
    choice.trial = try_reading(kind_, columns, choice.rules, facts_.wall_resolution());
    const bool step_said = column.quantity.kind == QuantityKind::step_seconds ||
                           column.quantity.kind == QuantityKind::epoch_seconds ||
                           is_of_step(column.words) || column.bracketed;
    choice.said = (meaning == TimeMeaning::per_step && step_said) ||
                  (meaning == TimeMeaning::pass_mean && column.bracketed) ||
                  (meaning == TimeMeaning::cumulative && since_start) ||
                  (meaning == TimeMeaning::per_interval && of_interval);
    double cost = choice.said ? 0 : 1;
    if (step_said && meaning != TimeMeaning::per_step && !column.bracketed) cost += 2;
    if (since_start && meaning == TimeMeaning::per_step) cost += facts_.gap() > 1 ? 0.4 : 0.2;
    if (of_interval && meaning != TimeMeaning::per_interval) cost += 2;
    if (meaning == TimeMeaning::per_interval) cost += 0.3;
    if (meaning == TimeMeaning::cumulative && !since_start) cost += 0.2;
    const bool of_some_steps =
        meaning == TimeMeaning::per_step || meaning == TimeMeaning::per_interval;
    if (!step_said && of_some_steps && course_of(index, choice.rules).climbs)
      cost += 1.5;  // what steps take does not grow from line to line
    if (meaning == TimeMeaning::cumulative) cost += 0.3;
    if (meaning == TimeMeaning::pass_mean && facts_.gap() > 1)
      cost += column.bracketed ? -0.2 : 0.2;
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
    const double worth = sum ? trial.seconds : facts_.typical_of(index);
    const double share = column.resolution / std::max(worth, 1e-300);
    return share > coarse_digit ? std::min(3.0, 20 * share) : 0;
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
    course.rises =
        rules.full_passes ? ups + drops + keeps > 0 : ups > 0 && ups >= 20 * downs && most > first;
    course.climbs = !rules.full_passes && course.rises && most > 2 * first;
    course.restarts = rules.full_passes ? drops > 0 : drops > keeps;
    return course;
  }

  TimeChoice try_wall() const {
    TimeChoice choice;
    choice.rules = facts_.rules_for(std::nullopt);
    choice.rules.time = TimeMeaning::wall;
    choice.rules.resolution = facts_.wall_resolution();
    choice.trial = try_reading(kind_, facts_.columns(), choice.rules, facts_.wall_resolution());
    choice.cost = 2.6;
    choice.said = true;
    if (choice.trial.paces < 2) choice.cost = 1e9;
    return choice;
  }

  const ClassFacts& facts_;
  const LineClass& kind_;
};

}  // namespace

TimeChoice best_time(const ClassFacts& facts) {
  return TimeReader(facts).best();
}

}  // namespace trainmark
