#include "logs/generic/generic_dialect.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "logs/generic/counter_words.h"
#include "logs/generic/line_fields.h"
#include "logs/generic/phase.h"
#include "logs/generic/scheme_words.h"
#include "logs/generic/table_rows.h"
#include "logs/grammar/measures.h"
#include "logs/text/find_text.h"

namespace trainmark {

namespace {

constexpr std::size_t most_known_fields = 4096;

/// Gives the paces of a line one after the other, as records.
class PaceQueue {
 public:
  std::vector<StepPace>& paces() { return paces_; }
  void clear() {
    paces_.clear();
    next_ = 0;
  }
  bool take(Record& record) {
    if (next_ == paces_.size()) return false;
    const StepPace& pace = paces_[next_++];
    record.step = pace.step;
    record.epoch = pace.pass;
    record.seconds = pace.seconds;
    record.rate = pace.rate;
    record.steps = std::max(pace.steps, 1.0);
    record.begins_run = pace.restart;
    return true;
  }

 private:
  std::vector<StepPace> paces_;
  std::size_t next_ = 0;
};

double number_of(const LineField* field) {
  return field == nullptr ? not_known : field->value;
}

class SchemeReader {
 public:
  SchemeReader(const LogScheme& scheme, bool batch_given)
      : scheme_(scheme), batch_given_(batch_given), keeper_(scheme.rules) {}

  bool operator()(Cursor& line, Record& record) {
    if (line.place() == 0) {
      queue_.clear();
      read(line.line(), record.arrival);
      line.move_to(line.line().size());
    }
    if (!queue_.take(record)) return false;
    record.rank = rank_;
    record.stamp = stamp_;
    record.loss = loss_;
    record.has_loss = has_loss_;
    record.begin = begin_;
    const bool of_batches = batch_given_ && !scheme_.counts_samples && !scheme_.counts_epochs;
    if (scheme_.counts_items || (scheme_.rate == 0 && !of_batches)) record.items = 1;
    if (scheme_.rules.rate_is_pass_mean && positive(record.seconds)) {
      // What is taken apart from means scatters: items and time can be added up, rates cannot.
      record.items = record.rate * record.seconds;
      record.rate = not_known;
    }
    return true;
  }

 private:
  void read(std::string_view printed, double arrival) {
    const std::string_view line = scheme_.of_table ? rows_.named(printed) : printed;
    phases_.look(printed);
    const bool heading = scheme_.epoch == 0 && may_be_heading(line);
    if (!heading && !scheme_.needle.empty() &&
        find_text(line, scheme_.needle) == std::string_view::npos)
      return;
    fields_.read(line);
    if (heading)
      if (const double epoch = heading_epoch(fields_); std::isfinite(epoch)) heading_ = epoch;
    const LineField* counter = find_counter();
    if (scheme_.counter != 0 && counter == nullptr) return;
    CounterReading reading;
    if (counter != nullptr) reading.counter = counter->number;
    if (scheme_.total != 0) reading.total = number_of(fields_.find(scheme_.total));
    reading.epoch = scheme_.epoch != 0 ? number_of(fields_.find(scheme_.epoch)) : heading_;
    if (scheme_.rate != 0) reading.rate = number_of(fields_.find(scheme_.rate));
    if (scheme_.rate_is_item_seconds) reading.rate = 1 / reading.rate;
    if (scheme_.time != 0) reading.time = number_of(fields_.find(scheme_.time));
    if (scheme_.by_arrival) reading.wall = arrival;
    if (scheme_.wall != 0) reading.wall = number_of(fields_.find(scheme_.wall));
    if (scheme_.wall_is_milliseconds) reading.wall /= 1000;
    const bool told = std::isfinite(reading.rate) || std::isfinite(reading.time) ||
                      (scheme_.time == 0 && scheme_.rate == 0 && std::isfinite(reading.wall));
    if (!told) return;
    rank_ = rank_of(fields_);
    if (rank_ >= 0 && first_rank_ < 0) first_rank_ = rank_;
    if (rank_ != first_rank_ && rank_ >= 0) return;
    if (counter != nullptr && phases_.is_evaluation(phase_, reading.counter, reading.total)) return;
    stamp_ = scheme_.wall != 0 ? reading.wall : not_known;
    begin_ = counter == nullptr || scheme_.of_table ? 0 : counter->begin;
    take_loss_field();
    keeper_.add(reading, queue_.paces());
  }

  static bool may_be_heading(std::string_view line) {
    return line.size() < 40 && (line.starts_with("Epoch") || line.starts_with("epoch"));
  }

  const LineField* find_counter() const {
    if (scheme_.counter == 0) return nullptr;
    for (const LineField& field : fields_.fields())
      if (field.id == scheme_.counter && field.lead == scheme_.lead) return &field;
    return nullptr;
  }

  void take_loss_field() {
    has_loss_ = false;
    for (const LineField& field : fields_.fields()) {
      if (field.kind != LineField::Kind::number || field.bracketed || field.end < begin_) continue;
      if (!is_loss(field)) continue;
      loss_ = field.number;
      has_loss_ = true;
      return;
    }
  }

  /// A field is known by its identity, once its words were looked at.
  bool is_loss(const LineField& field) {
    const auto known = is_loss_.find(field.id);
    if (known != is_loss_.end()) return known->second;
    const std::string& words = fields_.words_of(field);
    const bool loss =
        words == "loss" || words == "train_loss" || words == "train loss" || words == "lm loss";
    if (is_loss_.size() < most_known_fields) is_loss_.emplace(field.id, loss);
    return loss;
  }

  LogScheme scheme_;
  bool batch_given_;
  PaceKeeper keeper_;
  TableRows rows_;
  LineFields fields_;
  PhaseFollower phases_;
  PhaseFollower::Kind phase_;
  PaceQueue queue_;
  double heading_ = not_known;
  int rank_ = -1;
  int first_rank_ = -1;
  double stamp_ = not_known;
  double loss_ = not_known;
  bool has_loss_ = false;
  std::uint32_t begin_ = 0;
  std::unordered_map<std::uint64_t, bool> is_loss_;
};

PaceRules marker_rules() {
  PaceRules rules;
  rules.time = TimeMeaning::wall;
  rules.counted = false;
  rules.resolution = 1e-3;
  return rules;
}

class MarkerReader {
 public:
  explicit MarkerReader(std::string marker) : marker_(std::move(marker)), keeper_(marker_rules()) {}

  bool operator()(Cursor& line, Record& record) {
    if (!line.skip_to(marker_)) return false;
    line.move_to(line.line().size());  // a line is one step, however often it says so
    CounterReading reading;
    // Arrival times are finer than most time stamps.
    reading.wall =
        std::isfinite(record.arrival) ? record.arrival : find_stamp(line.line().substr(0, 200));
    queue_.clear();
    keeper_.add(reading, queue_.paces());
    record.items = 1;
    return queue_.take(record);
  }

 private:
  std::string marker_;
  PaceKeeper keeper_;
  PaceQueue queue_;
};

}  // namespace

Dialect generic_dialect(const LogScheme& scheme, bool batch_given) {
  Dialect dialect;
  dialect.summary = "learned from the log";
  // Of steps, a batch is one rank's; of printed rates, few say whose they are.
  const bool by_batch =
      scheme.rate == 0 && batch_given && !scheme.counts_samples && !scheme.counts_epochs;
  dialect.scope = by_batch || scheme.rate_of_device ? Scope::rank : Scope::job;
  dialect.unit = by_batch ? "items/s" : scheme.unit;
  if (scheme.counts_samples || scheme.counts_items || scheme.counts_epochs ||
      scheme.counts_micro_steps)
    dialect.steps_unit = scheme.unit;
  dialect.unit_is_fixed = true;
  dialect.counted = Counted::all_but_a_tenth;
  dialect.quality_reader = [] { return QualityReader(find_evaluation); };
  dialect.items_from = batch_given ? ItemsFrom::rank_batch : ItemsFrom::records;
  dialect.confidence = scheme.confidence;
  dialect.assumptions = scheme_words(scheme, batch_given);
  const auto shared = std::make_shared<const LogScheme>(scheme);
  dialect.reader = [shared, batch_given] {
    return RecordReader(SchemeReader(*shared, batch_given));
  };
  return dialect;
}

Dialect marker_dialect(const std::string& marker) {
  Dialect dialect;
  dialect.summary = "lines that mean one step";
  dialect.scope = Scope::job;
  dialect.unit = "steps/s";
  dialect.unit_is_fixed = true;
  dialect.counted = Counted::all_but_a_tenth;
  dialect.items_from = ItemsFrom::records;
  dialect.reader = [marker] { return RecordReader(MarkerReader(marker)); };
  return dialect;
}

}  // namespace trainmark
