#include "logs/contents.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "logs/text/find_text.h"
#include "logs/text/key_filter.h"

namespace trainmark {

namespace {

// More ranks than any log names; a log that invents others must not fill the memory.
constexpr std::size_t most_ranks_read = 65536;
constexpr std::size_t most_runs = 1000;
// A run that has come this far and begins again is another run, and not a number printed twice.
constexpr std::size_t fewest_steps_of_a_run = 3;
// Stamps and mpirun's mark stand at the front of what comes before a record.
constexpr std::size_t longest_prefix = 160;
constexpr std::int64_t most_records_late = 2;
constexpr std::size_t longest_quality_line = 2000;
// What takes longer than all the rest is done for a log's first records, and later for one in so
// many.
constexpr std::size_t records_looked_at = 256;
constexpr std::size_t records_per_look = 64;

using Place = std::pair<std::int64_t, std::int64_t>;

Place place_of(const Record& record) {
  return {record.epoch, record.step};
}

/// Between two values, `share` of the way from left to right; the one that is known where one is
/// not.
double between(double left, double right, double share) {
  if (std::isnan(left)) return right;
  return std::isnan(right) ? left : left + (right - left) * share;
}

/// Two neighbours as one record, the first: the later place, and the mean of both.
void merge_into(Record& first, const Record& second) {
  const float weight = first.weight + second.weight;
  const double share = second.weight / weight;
  first.weight = weight;
  first.epoch = second.epoch;
  first.step = second.step;
  first.stamp = second.stamp;
  first.arrival = second.arrival;
  first.rate = between(first.rate, second.rate, share);
  // Where records tell how many steps they stand for, the one of more steps weighs more. Most tell
  // nothing of what follows, and this is done for every record of a long log.
  double of_steps = share;
  if (first.steps > 0 && second.steps > 0) {
    first.steps += second.steps;
    of_steps = second.steps / first.steps;
  }
  first.seconds = between(first.seconds, second.seconds, of_steps);
  first.items = between(first.items, second.items, of_steps);
  if (!std::isnan(second.input)) first.input = between(first.input, second.input, of_steps);
  if (!std::isnan(second.mfu)) first.mfu = between(first.mfu, second.mfu, of_steps);
  if (!std::isnan(second.memory) && !(first.memory >= second.memory)) first.memory = second.memory;
  first.value = between(first.value, second.value, share);
  if (!second.has_loss) return;
  // A loss that is not a number must not be averaged away.
  first.loss = first.has_loss ? first.loss + (second.loss - first.loss) * share : second.loss;
  first.has_loss = true;
}

bool alike(const Record& first, const Record& second) {
  return first.run == second.run && first.kind == second.kind && first.row == second.row;
}

}  // namespace

class LogBuilder::Collector {
 public:
  Collector(const std::string& name, const Dialect& dialect, const ReadOptions& options)
      : dialect_(dialect),
        options_(options),
        read_(dialect.reader()),
        read_quality_(dialect.quality_reader ? dialect.quality_reader() : QualityReader()),
        nearly_all_(dialect.counted == Counted::all_but_a_tenth) {
    contents_.dialect = name;
    contents_.counted = dialect.counted;
    for (const auto& decoy : dialect_.decoys) key_filter_.add(decoy);
    for (const auto& [measure, key] : dialect_.quality) key_filter_.add(key);
  }

  LogContents& contents() { return contents_; }

  void add(std::string_view line, std::size_t number, double arrival) {
    ++contents_.lines;
    Cursor cursor(line);
    bool any = false;
    Record blank;
    blank.arrival = arrival;  // readers may need it
    for (Record record = blank; read_(cursor, record); record = blank) {
      record.arrival = arrival;
      take(record, line);
      any = true;
    }
    if (!any) pass_over(line, number);
  }

  /// What stands behind the last record belongs to the last run, where it says nothing else.
  void finish() {
    store_waiting();
    if (contents_.runs.empty()) begin_run();
    take_last_line();
    add_facts(contents_.runs.back().facts, facts_.take());
    if (contents_.unit.empty()) contents_.unit = dialect_.unit;
  }

 private:
  void take(Record& record, std::string_view line) {
    complete(record, line);
    ++contents_.found;
    if (contents_.found == 1 && !dialect_.unit_is_fixed)
      contents_.unit = unit_in(line.substr(record.begin));
    note_rank(record);
    if (record.rank >= 0 && primary_rank_ < 0) primary_rank_ = record.rank;
    if (record.rank != primary_rank_ && record.rank >= 0) {
      ++contents_.repeated;
      return;
    }
    if (nearly_all_ && is_said_again_or_begins_run(record)) return;
    if (record.kind == RecordKind::step && !begins_step(record)) return;
    if (contents_.runs.empty()) begin_run();
    LogRun& run = contents_.runs.back();
    // Closing records have the quality on the same line.
    if (record.kind != RecordKind::step) take_quality(line, dialect_, run.quality);
    // Elsewhere one in so many tells nearly as much: copying all of them would take too long.
    if (nearly_all_ || is_looked_at()) copy_line(line.substr(record.begin));
    if (run.records++ == 0 && std::isnan(record.stamp)) record.stamp = find_stamp(line);
    record.run = static_cast<std::uint32_t>(contents_.runs.size() - 1);
    store(record);
  }

  void pass_over(std::string_view line, std::size_t number) {
    Quality& quality = contents_.runs.empty() ? early_ : contents_.runs.back().quality;
    if (key_filter_.may_be_in(line)) {
      count_decoy(line);
      take_quality(line, dialect_, quality);
    }
    if (read_quality_)
      read_quality_(
          line, [&](std::string_view name, double value) { keep_quality(quality, name, value); });
    facts_.look(line, number);
    const double stamp = find_stamp(line.substr(0, longest_prefix));
    if (!std::isnan(stamp)) header_ = stamp;
  }

  void count_decoy(std::string_view line) {
    const auto is_here = [line](const auto& decoy) {
      return find_text(line, decoy) != std::string_view::npos;
    };
    if (std::any_of(dialect_.decoys.begin(), dialect_.decoys.end(), is_here)) ++contents_.decoys;
  }

  void complete(Record& record, std::string_view line) const {
    const std::string_view prefix =
        line.substr(record.begin > longest_prefix ? record.begin - longest_prefix : 0,
                    std::min<std::size_t>(record.begin, longest_prefix));
    // A rate needs no time stamp: only a run's first is kept, to be compared with its header's.
    const bool needs_stamp = std::isnan(record.rate) || options_.stamps;
    if (needs_stamp && std::isnan(record.stamp)) record.stamp = find_stamp(prefix);
    if (record.rank < 0) record.rank = find_rank(prefix);
    if (is_looked_at() && !dialect_.input_field.empty()) look_for_input(record, line);
    if (options_.field.empty()) return;
    record.value = record.kind == RecordKind::table
                       ? record.rate
                       : field_value(line.substr(record.begin), options_.field);
  }

  bool is_looked_at() const {
    return contents_.found % records_per_look == 0 || contents_.found < records_looked_at;
  }

  // Seldom done, and kept out of the loop over the records.
  [[gnu::noinline]] void look_for_input(Record& record, std::string_view line) const {
    record.input = field_value(line.substr(record.begin), dialect_.input_field);
  }
  [[gnu::noinline]] void copy_line(std::string_view text) {
    last_line_.assign(text.substr(0, longest_quality_line));
  }

  void note_rank(const Record& record) {
    const double rate = record.rate > 0 ? record.rate : 1 / record.seconds;
    if (record.rank < 0 || record.kind != RecordKind::step || !std::isfinite(rate)) return;
    if (contents_.ranks.size() >= most_ranks_read && !contents_.ranks.contains(record.rank)) return;
    RankRates& rates = contents_.ranks[record.rank];
    rates.sum += rate;
    ++rates.count;
  }

  /// Follows the steps through the file: a new run begins where they begin again, and one that is
  /// printed again by another rank is not counted twice.
  bool begins_step(const Record& record) {
    const Place place = place_of(record);
    const bool has_place = record.step >= 0;
    // Nearly every record of a log goes on where the last one ended.
    if (has_place && place > last_ && !contents_.runs.empty()) {
      ++steps_;
      if (nearly_all_ && place.first == last_.first) gap_ = place.second - last_.second;
      last_ = place;
      last_rate_ = record.rate;
      return true;
    }
    if (contents_.runs.empty() || (has_place && begins_again(place))) {
      begin_run();
      first_ = place;
    } else if (has_place && place == last_ && !record.begins_run && !options_.keep_repeats) {
      const bool same = record.rate == last_rate_ || dialect_.scope == Scope::rank || nearly_all_;
      if (same) {
        ++contents_.repeated;
        return false;
      }
    } else if (nearly_all_ && has_place && comes_late(place)) {
      ++contents_.repeated;
      return false;
    }
    if (place != last_) ++steps_;
    last_ = place;
    last_rate_ = record.rate;
    return true;
  }

  /// Where nearly all records count, a run that went back to its last checkpoint is another one,
  /// too.
  bool begins_again(const Place& place) const {
    if (nearly_all_) return steps_ > 1 && place < last_ && !comes_late(place);
    return steps_ >= fewest_steps_of_a_run && place <= first_ && place < last_;
  }

  /// Ranks that do not say who they are print the same step a little later.
  [[gnu::noinline]] bool comes_late(const Place& place) const {
    return place.first == last_.first && place < last_ && place > first_ &&
           last_.second - place.second <= most_records_late * gap_;
  }

  [[gnu::noinline]] void begin_run() {
    steps_ = 0;
    take_last_line();
    if (contents_.runs.size() >= most_runs) return;
    contents_.runs.push_back({facts_.take(), header_, 0, {}});
    std::swap(contents_.runs.back().quality, early_);
  }

  void take_last_line() {
    if (!contents_.runs.empty()) take_all_quality(last_line_, contents_.runs.back().quality);
    last_line_.clear();
  }

  /// What only some programs say of a record; true where it is stored already.
  [[gnu::noinline]] bool is_said_again_or_begins_run(const Record& record) {
    if (record.replaces && replace(record)) return true;
    if (record.begins_run && !contents_.runs.empty() && contents_.runs.back().records > 0) {
      begin_run();
      first_ = last_ = place_of(record);
    }
    return false;
  }

  /// The last word on a place that the record before was of; false where it was of another one.
  bool replace(Record record) {
    if (contents_.merged != 1 || contents_.records.empty()) return false;
    Record& before = contents_.records.back();
    if (before.kind != record.kind || place_of(before) != place_of(record)) return false;
    record.run = before.run;
    before = record;
    return true;
  }

  /// Keeps a record, or adds it to its neighbours where there are too many to keep each.
  void store(const Record& record) {
    if (contents_.merged == 1) {
      keep(record);
      return;
    }
    if (waiting_ && alike(*waiting_, record)) {
      merge_into(*waiting_, record);
    } else {
      store_waiting();
      waiting_ = record;
    }
    if (waiting_->weight >= static_cast<float>(contents_.merged)) store_waiting();
  }

  void store_waiting() {
    if (waiting_) keep(*waiting_);
    waiting_.reset();
  }

  void keep(const Record& record) {
    contents_.records.push_back(record);
    if (contents_.records.size() < options_.most_records) return;
    thin([](const Record& first, const Record& second) { return alike(first, second); });
    // A file of nothing but beginnings is no log of training; the memory is bounded all the same.
    if (contents_.records.size() > options_.most_records / 4 * 3)
      thin([](const Record&, const Record&) { return true; });
    contents_.merged *= 2;
  }

  template <class May>
  void thin(May may_merge) {
    std::vector<Record>& records = contents_.records;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (i + 1 < records.size() && may_merge(records[i], records[i + 1])) {
        merge_into(records[i], records[i + 1]);
        records[kept++] = records[i++];
      } else {
        records[kept++] = records[i];
      }
    }
    records.resize(kept);
  }

  LogContents contents_;
  const Dialect& dialect_;
  ReadOptions options_;
  RecordReader read_;
  QualityReader read_quality_;  // empty where the dialect has none
  KeyFilter key_filter_;        // decoys, and keys of quality
  FactFinder facts_;
  double header_ = not_known;
  int primary_rank_ = -1;
  Place first_{-1, -1};
  Place last_{-2, -2};
  double last_rate_ = not_known;
  Quality early_;                  // said before the first run began
  std::string last_line_;          // of a record
  std::int64_t gap_ = 1;           // between the steps of records
  bool nearly_all_;                // of the records count
  std::size_t steps_ = 0;          // different ones, of this run
  std::optional<Record> waiting_;  // for more neighbours
};

LogBuilder::LogBuilder(const std::string& name, const Dialect& dialect, const ReadOptions& options)
    : collector_(std::make_unique<Collector>(name, dialect, options)) {}
LogBuilder::~LogBuilder() = default;
LogBuilder::LogBuilder(LogBuilder&&) noexcept = default;
LogBuilder& LogBuilder::operator=(LogBuilder&&) noexcept = default;

void LogBuilder::add(std::string_view line, std::size_t number, double arrival) {
  collector_->add(line, number, arrival);
}

const LogContents& LogBuilder::so_far() const {
  return collector_->contents();
}

LogContents LogBuilder::finish() {
  collector_->finish();
  return std::move(collector_->contents());
}

std::vector<Record> records_of(const LogContents& contents, std::size_t run) {
  std::vector<Record> records;
  for (const Record& record : contents.records)
    if (record.run == run && record.kind != RecordKind::table) records.push_back(record);
  return records;
}

Scope scope_of(const LogContents& contents, std::size_t run, Scope usual) {
  const bool of_device =
      std::any_of(contents.records.begin(), contents.records.end(),
                  [&](const Record& record) { return record.run == run && record.of_device; });
  return of_device ? Scope::rank : usual;
}

LogContents read_log(LineReader& lines, const std::string& name, const Dialect& dialect,
                     const ReadOptions& options) {
  LogBuilder builder(name, dialect, options);
  std::string_view line;
  while (lines.next(line)) builder.add(line, lines.line_number());
  LogContents contents = builder.finish();
  contents.bytes = lines.bytes();
  contents.cut_lines = lines.cut_lines();
  contents.damage = lines.damage();
  return contents;
}

}  // namespace trainmark
