#include "logs/grammar/dialect.h"

// AI-Rank's log lines: the stamp is seconds since 1970, and the closing lines hold the rate.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!begin_record(line, record, "AI-Rank-log ")) return false;
  line.number(record.stamp);
  if (!line.skip_to("avg_ips:") || !line.number(record.rate)) return false;
  record.kind = RecordKind::summary;
  return true;
}

const Registration<Dialect> registered(
    "ai_rank", {.summary = "AI-Rank",
                .sample = "- AI-Rank-log 1700000000.123 avg_ips:1200images/sec",
                .scope = Scope::job,
                .unit = "images/s",
                .field = "avg_ips",
                .headline = RecordKind::summary,
                .quality = {{"eval_accuracy", "eval_accuracy:"},
                            {"time_to_target", "target_quality_time:"},
                            {"time_to_train", "total_use_time:"}},
                .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
