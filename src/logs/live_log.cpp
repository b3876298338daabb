#include "logs/live_log.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "logs/describe_log.h"
#include "logs/grammar/pattern_dialect.h"
#include "logs/text/colours.h"
#include "logs/text/find_text.h"

namespace trainmark {

namespace {

// So many records of one dialect decide for it: the program should be stopped soon after it has
// printed enough, and not after another fifty lines.
constexpr std::size_t deciding_records = 5;
// What is kept of the lines before that: headers, which hold the facts. Later ones are dropped.
constexpr std::size_t most_kept_bytes = 8 << 20;
// Programs that are listened to are stopped long before they have printed so much.
constexpr std::size_t most_records = 1 << 20;
constexpr std::size_t longest_last_line = 300;

bool tells_of_memory(std::string_view line) {
  for (const char* words : {"out of memory", "Out of memory", "OutOfMemoryError",
                            "RESOURCE_EXHAUSTED", "ResourceExhaustedError"})
    if (find_text(line, words) != std::string_view::npos) return true;
  return false;
}

}  // namespace

void check_live_options(const LiveOptions& options) {
  if (!options.dialect.empty() && !options.pattern.empty())
    throw UserError("dialect and pattern both say how to read what it prints; write one of them");
  const Scope scope = parse_scope(options.scope);
  if (!options.dialect.empty()) dialect_named(options.dialect);
  if (!options.pattern.empty()) pattern_dialect(options.pattern, scope);
}

LiveLog::LiveLog(LiveOptions options) : options_(std::move(options)) {
  if (!options_.pattern.empty()) {
    begin("pattern", pattern_dialect(options_.pattern, parse_scope(options_.scope)));
  } else if (!options_.dialect.empty()) {
    begin(options_.dialect, dialect_named(options_.dialect));
  } else {
    detector_.emplace();
  }
}

void LiveLog::begin(const std::string& name, Dialect dialect) {
  name_ = name;
  dialect_ = std::make_unique<const Dialect>(std::move(dialect));
  ReadOptions reading;
  reading.most_records = most_records;
  builder_.emplace(name_, *dialect_, reading);
  for (const Kept& kept : kept_) builder_->add(kept.line, kept.number, kept.arrival);
  kept_.clear();
  detector_.reset();
}

void LiveLog::feed(std::size_t stream, std::string_view bytes, double now) {
  Pending& pending = pending_[stream];
  while (!bytes.empty()) {
    // A carriage return ends a line, too: progress bars write over themselves.
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view piece = bytes.substr(0, end);
    if (!pending.skipping) {
      const std::size_t room = LineReader::longest_line - pending.text.size();
      pending.text += piece.substr(0, room);
      if (piece.size() > room) {
        ++cut_lines_;
        pending.skipping = true;
      }
    }
    if (end == std::string_view::npos) return;
    take_pending(pending, now);
    bytes.remove_prefix(end + 1);
  }
}

void LiveLog::take_pending(Pending& pending, double now) {
  pending.text.resize(strip_colours(pending.text.data(), pending.text.size()));
  if (!pending.text.empty()) take(pending.text, now);
  pending = {};
}

void LiveLog::take(std::string_view line, double now) {
  ++lines_;
  if (!trim(line).empty()) last_line_ = std::string(trim(line).substr(0, longest_last_line));
  out_of_memory_ = out_of_memory_ || tells_of_memory(line);
  if (builder_) {
    builder_->add(line, lines_, now);
  } else {
    keep(line, now);
  }
}

void LiveLog::keep(std::string_view line, double now) {
  const std::size_t before = detector_->records();
  detector_->look(line);
  const bool is_record = detector_->records() > before;
  if (is_record || kept_bytes_ + line.size() <= most_kept_bytes) {
    kept_.push_back({std::string(line), lines_, now});
    kept_bytes_ += line.size();
  }
  if (detector_->records() < deciding_records) return;
  const std::string name = detector_->result().candidates.front().name;
  begin(name, dialect_named(name));
}

void LiveLog::finish() {
  for (Pending& pending : pending_) {
    take_pending(pending, not_known);
  }
  if (!builder_ && detector_->result().known()) {
    const std::string name = detector_->result().candidates.front().name;
    begin(name, dialect_named(name));
  }
  if (!builder_ || records() == 0) return;
  contents_ = builder_->finish();
  contents_->cut_lines = cut_lines_;
  figure_ = blind_figure(*contents_, *dialect_, options_.given);
}

std::size_t LiveLog::records() const {
  if (contents_) return contents_->found;
  return builder_ ? builder_->so_far().found : 0;
}

std::string LiveLog::objection() const {
  return dialect_ && dialect_->objection ? dialect_->objection() : "";
}

PrintedSteps LiveLog::steps() const {
  if (!builder_ || records() == 0) return {};
  const LogContents& contents = contents_ ? *contents_ : builder_->so_far();
  const std::size_t run = choose_run(contents, options_.given);
  const Facts& facts = contents.runs[run].facts;
  LogFigure job;
  job.scope = dialect_->scope;
  describe_job(job, facts, *dialect_, options_.given);
  PrintedScale scale{job_factor(job), items_of_step(job, facts)};
  if (!number_fact(facts, "accumulate")) scale.items *= options_.accumulate;
  return printed_steps(records_of(contents, run), *dialect_, scale);
}

}  // namespace trainmark
