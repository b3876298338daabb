#include "logs/learned.h"

#include <cmath>

#include "logs/describe_log.h"
#include "logs/generic/generic_dialect.h"
#include "logs/generic/learn.h"
#include "measure/statistics.h"

namespace trainmark {

namespace {

// Between what rate × time says and a batch size.
constexpr double same_batch = 0.02;

}  // namespace

bool is_generic(const std::string& dialect) {
  return dialect == generic_name;
}

std::optional<Dialect> learned_dialect(LineReader& lines, const GivenFacts& given) {
  FormatLearner learner;
  std::string_view line;
  while (!learner.is_full() && lines.next(line)) learner.look(line);
  const std::optional<LogScheme> scheme = learner.scheme();
  if (!scheme) return std::nullopt;
  return generic_dialect(*scheme, given.batch.has_value());
}

Scope learned_scope(const Dialect& dialect, const LogContents& contents, const GivenFacts& given) {
  if (dialect.scope != Scope::job || contents.runs.empty()) return dialect.scope;
  const std::size_t run = choose_run(contents, given);
  std::vector<double> items;
  for (const Record& record : records_of(contents, run))
    if (positive(record.rate) && positive(record.seconds))
      items.push_back(record.rate * record.seconds);
  if (items.empty()) return dialect.scope;
  LogFigure job;
  Dialect one = dialect;
  one.items_from = ItemsFrom::rank_batch;  // what the header says counts here, to be compared with
  describe_job(job, contents.runs[run].facts, one, given);
  const bool several = job.gpus && *job.gpus > 1 && job.batch;
  const bool one_device = several && std::abs(median(items) / *job.batch - 1) <= same_batch;
  return one_device ? Scope::rank : dialect.scope;
}

}  // namespace trainmark
