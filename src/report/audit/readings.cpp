#include "report/audit/readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "logs/author_rule.h"
#include "logs/grammar/dialect.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

// What authors do with the records of a log, from what published figures were found to follow.
constexpr const char* step_rules[] = {"skip=1 agg=mean",
                                      "skip=2 agg=mean",
                                      "skip=5 agg=mean",
                                      "skip=10 agg=mean",
                                      "skip=20 agg=mean",
                                      "skip=50 agg=mean",
                                      "skip=100 agg=mean",
                                      "skip=2 trim=5or5% agg=mean",
                                      "skip=5 trim=5or5% agg=mean",
                                      "skip=10 trim=5or5% agg=mean",
                                      "agg=median",
                                      "skip=10 agg=median",
                                      "agg=last",
                                      "agg=min"};
constexpr const char* further_rules[] = {"records=epoch agg=mean", "records=epoch skip=1 agg=mean",
                                         "records=epoch agg=last", "records=summary agg=last",
                                         "records=table agg=last"};
// What programs call the time in which they wait for the next batch.
constexpr const char* input_fields[] = {"reader_cost", "avg_reader_cost", "data_time"};

constexpr std::size_t most_runs_tried = 50;

using Kind = LogReading::Kind;

class Readings {
 public:
  Readings(const std::filesystem::path& path, const ExtractOptions& options)
      : path_(path), options_(options) {
    result_.figure = extract_log(path, options);
  }

  LogReadings all() {
    const Dialect* dialect = Registry<Dialect>::find(result_.figure.dialect);
    add_facts();
    add_factors(result_.figure.throughput, "");
    if (dialect == nullptr || !options_.pattern.empty()) return std::move(result_);
    dialect_ = dialect;
    LineReader lines(open_log(path_));
    ReadOptions reading;
    reading.field = dialect->field;
    reading.keep_repeats = true;
    reading.stamps = true;
    reading.most_records = 1 << 18;  // rules should see records as they are printed
    contents_ = read_log(lines, result_.figure.dialect, *dialect, reading);
    if (contents_.found == 0) return std::move(result_);
    prints_rates_ = std::any_of(contents_.records.begin(), contents_.records.end(),
                                [](const Record& record) { return positive(record.rate); });
    add_rules();
    add_runs();
    add_without_input();
    note_range();
    // A rate of one rank is averaged like any other: both at once are the last thing to think of.
    const auto simple = result_.others;
    for (const LogReading& one : simple)
      if (one.kind == Kind::rule || one.kind == Kind::warm_up)
        add_factors(one.value, "; " + one.how);
    return std::move(result_);
  }

 private:
  void add(Kind kind, double value, std::string how, bool twofold = false) {
    if (positive(value)) result_.others.push_back({kind, value, std::move(how), twofold});
  }

  /// Where table and log contradict each other, the log may be right.
  void add_facts() {
    const GivenFacts& given = options_.given;
    if (!given.gpus && !given.nodes && !given.batch) return;
    try {
      ExtractOptions own = options_;
      own.given = {};
      const LogFigure figure = extract_log(path_, own);
      std::vector<std::string> differing;
      const auto compare = [&](const char* what, const std::optional<int>& said,
                               const std::optional<int>& found) {
        if (said && found && *said != *found)
          differing.push_back(fmt::format("{} {}", what, *found));
      };
      compare("GPUs", given.gpus, figure.gpus);
      compare("nodes", given.nodes, figure.nodes);
      compare("batch", given.batch, figure.batch);
      if (differing.empty()) return;
      ExtractOptions mended = options_;
      if (figure.gpus) mended.given.gpus = figure.gpus;
      if (figure.nodes) mended.given.nodes = figure.nodes;
      if (figure.batch) mended.given.batch = figure.batch;
      add(Kind::facts, extract_log(path_, mended).throughput, join(differing, ", "));
    } catch (const UserError&) {
      // The log does not say enough by itself.
    }
  }

  void add_factors(double value, const std::string& of) {
    const LogFigure& figure = result_.figure;
    const auto both = [&](Kind kind, double factor, const std::string& what) {
      if (!(factor > 1)) return;
      add(kind, value / factor, fmt::format("÷ {}{}", what, of), !of.empty());
      add(kind, value * factor, fmt::format("× {}{}", what, of), !of.empty());
    };
    const int gpus = figure.gpus.value_or(0);
    const int nodes = figure.nodes.value_or(0);
    both(Kind::ranks, gpus, fmt::format("{} GPUs", gpus));
    both(Kind::ranks, nodes, fmt::format("{} nodes", nodes));
    const int of_a_node = nodes > 1 ? gpus / nodes : 0;
    if (of_a_node > 1) both(Kind::ranks, of_a_node, fmt::format("{} GPUs of a node", of_a_node));
    both(Kind::units, figure.batch.value_or(0), fmt::format("batch {}", figure.batch.value_or(0)));
    if (figure.batch && gpus > 1)
      both(Kind::units, *figure.batch * static_cast<double>(gpus),
           fmt::format("global batch {}", *figure.batch * gpus));
    if (of.empty()) {
      both(Kind::units, 60, "60");
      both(Kind::units, 1000, "1000");
    }
  }

  void add_rule(Kind kind, const std::string& words) {
    AuthorRule rule = parse_author_rule(words);
    if (!prints_rates_ && rule.records == RecordKind::step && !rule.from_stamps)
      rule.factor = AuthorRule::Factor::batch_over;
    const LogFigure& figure = result_.figure;
    const JobSize job{figure.gpus.value_or(0), figure.nodes.value_or(0), figure.batch.value_or(0)};
    if (rule.records == RecordKind::table && job.gpus > 0) rule.row = job.gpus;
    try {
      add(kind, apply_rule(rule, contents_, dialect_->scope, job).value, words);
    } catch (const UserError&) {
      // Too few records, or something that nobody knows: this rule cannot be the author's.
    }
  }

  void add_rules() {
    add_rule(Kind::warm_up, "skip=0 agg=mean");
    for (const char* words : step_rules) add_rule(Kind::rule, words);
    for (const char* words : further_rules) add_rule(Kind::rule, words);
    for (const char* words : {"printed", "time"}) add_rule(Kind::rule, words);
    const LogFigure& figure = result_.figure;
    add(Kind::rule, figure.items_over_time, "items ÷ time");
    add(Kind::rule, figure.mean, "mean of the steady records");
    add(Kind::rule, figure.median, "median of the steady records");
  }

  void add_runs() {
    for (std::size_t run = 0; run < std::min(contents_.runs.size(), most_runs_tried); ++run) {
      LogContents one = contents_;
      one.runs = {contents_.runs[run]};
      one.records = records_of(contents_, run);
      for (Record& record : one.records) record.run = 0;
      const double value = blind_figure(one, *dialect_, options_.given).throughput;
      if (!positive(value)) continue;
      result_.runs.push_back(value);
      if (contents_.runs.size() > 1)
        add(Kind::run, value, fmt::format("run {} of {}", run + 1, contents_.runs.size()));
    }
  }

  /// The rate of the steps alone, where the log tells for how long each waited for its batch.
  void add_without_input() {
    for (const char* field : input_fields) {
      LineReader lines(open_log(path_));
      ReadOptions reading;
      reading.field = field;
      const LogContents waits = read_log(lines, contents_.dialect, *dialect_, reading);
      double seconds = 0;
      double waited = 0;
      for (const Record& record : waits.records) {
        if (record.kind != RecordKind::step || !positive(record.seconds) || !(record.value >= 0) ||
            record.value >= record.seconds)
          continue;
        seconds += record.seconds;
        waited += record.value;
      }
      if (waited > 0.01 * seconds)
        add(Kind::input, result_.figure.throughput * seconds / (seconds - waited),
            fmt::format("{:.0f} % of the time is {}", 100 * waited / seconds, field));
    }
  }

  /// The least and the most that one record says, scaled to the job.
  void note_range() {
    const LogFigure& figure = result_.figure;
    const double scale = figure.scope == Scope::rank   ? figure.gpus.value_or(1)
                         : figure.scope == Scope::node ? figure.nodes.value_or(1)
                                                       : 1;
    const double items =
        figure.batch && figure.gpus ? *figure.batch * static_cast<double>(*figure.gpus) : not_known;
    const auto note = [&](RecordKind kind) {
      for (const Record& record : contents_.records) {
        if (record.kind != kind) continue;
        const double rate = positive(record.rate) ? scale * record.rate : items / record.seconds;
        if (!positive(rate)) continue;
        result_.least = std::fmin(result_.least, rate);
        result_.most = std::fmax(result_.most, rate);
      }
    };
    note(dialect_->headline);
    if (std::isnan(result_.most)) note(RecordKind::step);
  }

  const std::filesystem::path& path_;
  const ExtractOptions& options_;
  LogReadings result_;
  const Dialect* dialect_ = nullptr;
  LogContents contents_;
  bool prints_rates_ = false;
};

}  // namespace

LogReadings read_every_way(const std::filesystem::path& path, const ExtractOptions& options) {
  return Readings(path, options).all();
}

}  // namespace trainmark
