#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "logs/contents.h"

namespace trainmark {

/// How somebody made a published figure from a log, so that it can be made again. Written as words:
/// `records=step field=ips skip=10 trim=5or5% agg=mean scale=gpus`, or as the name of a preset.
struct AuthorRule {
  std::string dialect;  // empty: found from the text
  RecordKind records = RecordKind::step;
  std::string field;  // empty: the dialect's own
  std::optional<std::size_t>
      run;                 // only the N-th; a new one starts where (epoch, step) does not rise
  std::optional<int> row;  // of a closing table: only that of N GPUs
  std::size_t skip = 0;    // records dropped at the front
  std::optional<std::size_t> take;  // then at most so many
  /// Then sorted, and max(count, share of them) dropped at each end.
  struct Trim {
    std::size_t count = 0;
    double share = 0;
  };
  std::optional<Trim> trim;
  enum class Aggregate { mean, median, last, min } aggregate = Aggregate::mean;
  enum class Factor { as_scope, one, gpus, nodes, batch_over } factor = Factor::as_scope;

  /// DLPerf's scripts look at the iterations 51 to 150 and not at a number of records.
  bool dlperf_window = false;
  bool from_stamps = false;  // items ÷ difference of time stamps
};

/// UserError for an unknown word, naming the nearest.
AuthorRule parse_author_rule(const std::string& words);

/// What scales a rule's figure to the whole job; 0 where it is not known.
struct JobSize {
  int gpus = 0;
  int nodes = 0;
  int batch = 0;  // per GPU
};

struct RuleFigure {
  double value = 0;
  std::size_t used = 0;
};

/// UserError where the rule leaves no record, or needs a number that is not known.
RuleFigure apply_rule(const AuthorRule& rule, const LogContents& contents, Scope scope,
                      const JobSize& job);

}  // namespace trainmark
