#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/verdict.h"
#include "logs/author_rule.h"
#include "logs/contents.h"
#include "logs/grammar/confidence.h"
#include "measure/statistics.h"

namespace trainmark {

/// What the user says of a log, where the log does not.
struct GivenFacts {
  std::optional<int> gpus = {};
  std::optional<int> nodes = {};
  std::optional<int> batch = {};  // of one GPU
  std::string precision = {};
  std::string unit = {};
  std::map<std::string, std::string> sources = {};  // where not from an option: "file name"

  std::string source(const std::string& name) const {
    const auto found = sources.find(name);
    return found == sources.end() ? "--" + name : found->second;
  }
};

/// The figure of one log, with all that is needed to defend it.
struct LogFigure {
  std::string file;
  std::string dialect;
  Confidence confidence = Confidence::high;
  std::string unit;
  Scope scope = Scope::rank;  // of what the log prints; the figure is always the whole job's
  std::optional<int> gpus, nodes, batch;
  std::string precision, model;
  std::string machine;  // kind of GPU
  std::map<std::string, std::string> versions;
  /// Where each of the above was taken from: "--gpus", or a line of the log.
  std::map<std::string, std::string> taken_from;

  double throughput = 0;  // items per second of the whole job; NaN where there is no figure
  std::string method;     // "items / time", "printed rates", "printed summary" or the rule's words
  Interval interval;      // 95 %, of the records; NaN where it cannot be known
  double mean = not_known;             // of the records' rates in the window, scaled to the job
  double median = not_known;           // likewise
  double items_over_time = not_known;  // likewise, where time or items are known
  double without_pauses = not_known;   // likewise, without records that hold something else

  /// Steps per second, where records tell how many steps they stand for.
  double steps_per_second = not_known;

  std::size_t records = 0;  // of the run that the figure is made from
  std::size_t used = 0;
  std::size_t first_used = 0;   // so many were cut at the front
  std::size_t runs = 1;         // in the file
  std::size_t run = 1;          // the one taken
  std::map<int, double> ranks;  // mean rate of each rank that printed

  Quality quality;                 // what the run says of its model, by name
  double input_share = not_known;  // of the time, spent waiting for input
  double memory = not_known;       // bytes that a device needed at most
  double mfu = not_known;          // as printed
  double mfu_recomputed = not_known;
  double parameters = not_known;  // of the model
  Verdicts verdicts;
};

/// The default: steady state detected, items ÷ time; the mean of printed rates where a few slow
/// records make these disagree with it.
LogFigure blind_figure(const LogContents& contents, const Dialect& dialect,
                       const GivenFacts& given);

/// The figure of an author's rule.
LogFigure rule_figure(const LogContents& contents, const Dialect& dialect, const GivenFacts& given,
                      const AuthorRule& rule, const std::string& words);

void to_json(nlohmann::json& json, const LogFigure& figure);

}  // namespace trainmark
