#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "logs/facts.h"
#include "logs/grammar/dialect.h"
#include "logs/quality.h"
#include "logs/text/line_reader.h"

namespace trainmark {

/// One of a file's runs: some logs hold two, or an attempt that was given up.
struct LogRun {
  Facts facts;                // said before its first record, or nowhere else
  double header = not_known;  // the time stamp nearest before its first record
  std::size_t records = 0;
  Quality quality;
};

/// What one rank's own records add up to.
struct RankRates {
  double sum = 0;
  std::size_t count = 0;
};

/// All that a log says of its speed.
struct LogContents {
  std::string dialect;
  Counted counted = Counted::steady;
  std::string unit;  // as printed; the dialect's own where it is not
  std::vector<Record> records;
  std::vector<LogRun> runs;
  std::map<int, RankRates> ranks;  // empty where lines do not tell who printed them
  std::size_t found = 0;           // records in the file, before any was merged or passed over
  std::size_t repeated = 0;        // printed by several ranks, and counted once
  std::size_t merged = 1;          // so many neighbours make one of `records`
  std::size_t decoys = 0;          // lines that look like figures of training and are none
  std::size_t lines = 0;
  std::size_t bytes = 0;
  std::size_t cut_lines = 0;
  std::string damage;  // of the file, in words
};

struct ReadOptions {
  std::string field;          // for an author's rule; empty: the dialect's own
  bool stamps = false;        // of all records, and not only where nothing else tells the time
  bool keep_repeats = false;  // an author's rule counts every line
  std::size_t most_records = 1 << 14;  // more are merged with their neighbours: memory stays flat
};

/// Puts together what a log says, line by line: a file is read through, and a running program is
/// listened to.
class LogBuilder {
 public:
  /// The dialect must outlive it.
  LogBuilder(const std::string& name, const Dialect& dialect, const ReadOptions& options = {});
  ~LogBuilder();
  LogBuilder(LogBuilder&&) noexcept;
  LogBuilder& operator=(LogBuilder&&) noexcept;

  /// `number`: of the line, from 1. `arrival`: when it came, where somebody listens.
  void add(std::string_view line, std::size_t number, double arrival = not_known);

  /// What is known up to now. What stands behind the last record is not in it yet.
  const LogContents& so_far() const;

  /// All of it; nothing may be added any more.
  LogContents finish();

 private:
  class Collector;
  std::unique_ptr<Collector> collector_;
};

/// The records of one run, from 0; those of closing tables speak of all runs and are left out.
std::vector<Record> records_of(const LogContents& contents, std::size_t run);

/// Whose figures the records of a run are: `usual`, unless they say that they are of one device.
Scope scope_of(const LogContents& contents, std::size_t run, Scope usual);

LogContents read_log(LineReader& lines, const std::string& name, const Dialect& dialect,
                     const ReadOptions& options = {});

}  // namespace trainmark
