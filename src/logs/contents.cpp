#include "logs/contents.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "logs/text/find_text.h"

namespace trainmark {

namespace {

// More ranks than any log names; a log that invents others must not fill the memory.
constexpr std::size_t most_ranks_read = 65536;
constexpr std::size_t most_runs = 1000;
// A run that has come this far and begins again is another run, and not a number printed twice.
constexpr std::size_t fewest_steps_of_a_run = 3;
// Stamps and mpirun's mark stand at the front of what comes before a record.
constexpr std::size_t longest_prefix = 160;

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
  first.seconds = between(first.seconds, second.seconds, share);
  first.items = between(first.items, second.items, share);
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
      : dialect_(dialect), options_(options), read_(dialect.reader()) {
    contents_.dialect = name;
  }

  LogContents& contents() { return contents_; }

  void add(std::string_view line, std::size_t number, double arrival) {
    ++contents_.lines;
    Cursor cursor(line);
    bool any = false;
    for (Record record; read_(cursor, record); record = Record()) {
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
    if (record.kind == RecordKind::step && !begins_step(record)) return;
    if (contents_.runs.empty()) begin_run();
    LogRun& run = contents_.runs.back();
    if (run.records++ == 0 && std::isnan(record.stamp)) record.stamp = find_stamp(line);
    record.run = static_cast<std::uint32_t>(contents_.runs.size() - 1);
    store(record);
  }

  void pass_over(std::string_view line, std::size_t number) {
    for (const auto& decoy : dialect_.decoys) {
      if (find_text(line, decoy) == std::string_view::npos) continue;
      ++contents_.decoys;
      break;
    }
    facts_.look(line, number);
    const double stamp = find_stamp(line.substr(0, longest_prefix));
    if (!std::isnan(stamp)) header_ = stamp;
  }

  void complete(Record& record, std::string_view line) const {
    const std::string_view prefix =
        line.substr(record.begin > longest_prefix ? record.begin - longest_prefix : 0,
                    std::min<std::size_t>(record.begin, longest_prefix));
    // A rate needs no time stamp: only a run's first is kept, to be compared with its header's.
    const bool needs_stamp = std::isnan(record.rate) || options_.stamps;
    if (needs_stamp && std::isnan(record.stamp)) record.stamp = find_stamp(prefix);
    if (record.rank < 0) record.rank = find_rank(prefix);
    if (options_.field.empty()) return;
    record.value = record.kind == RecordKind::table
                       ? record.rate
                       : field_value(line.substr(record.begin), options_.field);
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
    if (contents_.runs.empty() ||
        (has_place && steps_ >= fewest_steps_of_a_run && place <= first_ && place < last_)) {
      begin_run();
      first_ = place;
    } else if (has_place && place == last_ && !options_.keep_repeats) {
      const bool same = record.rate == last_rate_ || dialect_.scope == Scope::rank;
      if (same) {
        ++contents_.repeated;
        return false;
      }
    }
    if (place != last_) ++steps_;
    last_ = place;
    last_rate_ = record.rate;
    return true;
  }

  void begin_run() {
    steps_ = 0;
    if (contents_.runs.size() >= most_runs) return;
    contents_.runs.push_back({facts_.take(), header_, 0});
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
  FactFinder facts_;
  double header_ = not_known;
  int primary_rank_ = -1;
  Place first_{-1, -1};
  Place last_{-2, -2};
  double last_rate_ = not_known;
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
