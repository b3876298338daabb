#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "logs/extract.h"

namespace trainmark {

/// One way to make a figure from a log.
struct LogReading {
  enum class Kind {
    facts,    // with what the log itself says of GPUs, nodes or batch
    ranks,    // times or divided by the number of GPUs or nodes
    units,    // another unit: steps instead of items, minutes instead of seconds
    warm_up,  // all records, the first ones included
    rule,     // another rule of those that authors use
    run,      // another of the file's runs
    input     // without the time spent waiting for input
  };
  Kind kind = Kind::rule;
  double value = 0;
  std::string how;       // "agg=median", "× 8 GPUs", "run 1 of 2", "batch 8"
  bool twofold = false;  // a rule and a factor at once
};

/// All that a log can be made to say.
struct LogReadings {
  LogFigure figure;                // by the rule that was asked for, or the default
  std::vector<LogReading> others;  // in the order in which they are likely
  std::vector<double> runs;        // the figure of each of its runs
  double least = not_known;        // of the rates that it prints, scaled to the job
  double most = not_known;         // likewise
};

/// UserError where the log cannot be read or holds no record.
LogReadings read_every_way(const std::filesystem::path& path, const ExtractOptions& options);

}  // namespace trainmark
