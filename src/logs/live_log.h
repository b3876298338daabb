#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logs/contents.h"
#include "logs/detect.h"
#include "logs/figure.h"
#include "logs/generic/learn.h"
#include "logs/printed_steps.h"

namespace trainmark {

/// How the lines of a running program are read.
struct LiveOptions {
  std::string dialect = {};   // empty: found from the first records
  std::string pattern = {};   // instead of a dialect
  std::string scope = "job";  // of the pattern's figures
  std::string marker = {};    // instead of both: a text that stands in one line per step
  GivenFacts given = {};
  int accumulate = 1;  // batches of a step, where the lines do not tell
};

/// UserError for a dialect, pattern or scope that cannot be.
void check_live_options(const LiveOptions& options);

/// The log of a program that still runs, read as it is printed. Programs are not trusted: memory
/// stays bounded whatever they print.
class LiveLog {
 public:
  /// Standard output and standard error: lines of the one may come in the middle of the other's.
  static constexpr std::size_t streams = 2;

  explicit LiveLog(LiveOptions options);

  /// `now`: on a monotonic clock.
  void feed(std::size_t stream, std::string_view bytes, double now);

  /// No more will come. Lines without an end are taken as they are.
  void finish();

  /// Empty as long as it is not known.
  const std::string& dialect() const { return name_; }

  /// How often the lines were begun to be read in another way: what was read before is void then.
  std::size_t readings() const { return readings_; }
  std::size_t records() const;
  std::size_t lines() const { return lines_; }

  /// What the records so far tell of the job's steps.
  PrintedSteps steps() const;

  /// After `finish`: how the log as a whole would be read by `trainmark extract`, and what it tells
  /// against itself. Nothing where it holds no record.
  const std::optional<LogFigure>& figure() const { return figure_; }

  /// Why records were refused; empty where none was.
  std::string objection() const;

  /// The last line that is not empty: programs that break down say there why.
  const std::string& last_line() const { return last_line_; }

  /// It has printed for so long without a record that none is to be expected. Not where the user
  /// says how it is to be read: its lines may come late.
  bool is_hopeless() const { return hopeless_; }

  /// The last two lines with a number in them, for people.
  const std::vector<std::string>& sample_lines() const { return samples_; }

  bool ran_out_of_memory() const { return out_of_memory_; }

 private:
  struct Kept {
    std::string line;
    std::size_t number;
    double arrival;
  };
  struct Pending {
    std::string text;            // of a line whose end has not come
    bool skipping = false;       // the rest of a line that was too long
    double arrived = not_known;  // its last letters; a bar's line ends only when it is written over
  };

  void take_pending(Pending& pending);
  void take(std::string_view line, double now);
  void keep(std::string_view line, double now);
  void begin(const std::string& name, Dialect dialect);
  bool is_dialect_found() const;
  void choose();
  void learn();
  void note_unread(std::string_view line, double now);
  void settle_for_good();

  LiveOptions options_;
  std::array<Pending, streams> pending_;
  std::size_t lines_ = 0;
  std::size_t cut_lines_ = 0;
  std::string last_line_;
  bool out_of_memory_ = false;

  // Until the dialect is known.
  std::optional<DialectDetector> detector_;
  std::optional<FormatLearner> learner_;
  std::optional<LogScheme> scheme_;  // what is read by now, where it is a guess
  std::size_t next_try_ = 0;         // to learn, at so many lines
  std::vector<Kept> kept_;
  std::size_t kept_bytes_ = 0;
  std::vector<std::string> samples_;
  std::size_t moments_ = 0;  // at which lines came that nobody could read
  double last_moment_ = -1e9;
  bool hopeless_ = false;

  std::size_t readings_ = 0;
  std::string name_;
  std::unique_ptr<const Dialect> dialect_;
  std::optional<LogBuilder> builder_;
  std::optional<LogContents> contents_;  // once finished
  std::optional<LogFigure> figure_;
};

}  // namespace trainmark
