#include "logs/live_log.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "logs/describe_log.h"
#include "logs/generic/generic_dialect.h"
#include "logs/grammar/pattern_dialect.h"
#include "logs/learned.h"
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
// Lines after which it is first tried to learn from them, and after which nothing new is learned.
constexpr std::size_t first_try = 5;
constexpr std::size_t most_learned = 4000;
constexpr std::size_t most_studied = 20'000;
constexpr std::size_t studied_share = 16;
// A library's dialect that reads so many times less than what was learned knows less, too.
constexpr std::size_t few_of_many = 4;
// A few dozen lines without a record, not counting those that come in one burst.
constexpr std::size_t hopeless_moments = 60;
constexpr double least_moment = 0.01;  // seconds

bool tells_of_memory(std::string_view line) {
  for (const char* words : {"out of memory", "Out of memory", "OutOfMemoryError",
                            "RESOURCE_EXHAUSTED", "ResourceExhaustedError"})
    if (find_text(line, words) != std::string_view::npos) return true;
  return false;
}

}  // namespace

void check_live_options(const LiveOptions& options) {
  const int ways = (options.dialect.empty() ? 0 : 1) + (options.pattern.empty() ? 0 : 1) +
                   (options.marker.empty() ? 0 : 1);
  if (ways > 1)
    throw UserError(
        "dialect, pattern and marker each say how to read what it prints; write one of them");
  const Scope scope = parse_scope(options.scope);
  if (!options.dialect.empty() && !is_generic(options.dialect)) dialect_named(options.dialect);
  if (!options.pattern.empty()) pattern_dialect(options.pattern, scope);
}

LiveLog::LiveLog(LiveOptions options) : options_(std::move(options)) {
  if (!options_.marker.empty()) {
    begin("marker", marker_dialect(options_.marker));
  } else if (!options_.pattern.empty()) {
    begin("pattern", pattern_dialect(options_.pattern, parse_scope(options_.scope)));
  } else if (!options_.dialect.empty() && !is_generic(options_.dialect)) {
    begin(options_.dialect, dialect_named(options_.dialect));
  } else {
    if (options_.dialect.empty()) detector_.emplace();
    learner_.emplace();
    next_try_ = first_try;
  }
}

void LiveLog::begin(const std::string& name, Dialect dialect) {
  ++readings_;
  name_ = name;
  builder_.reset();  // it refers to the dialect
  dialect_ = std::make_unique<const Dialect>(std::move(dialect));
  ReadOptions reading;
  reading.most_records = most_records;
  builder_.emplace(name_, *dialect_, reading);
  for (const Kept& kept : kept_) builder_->add(kept.line, kept.number, kept.arrival);
}

/// Nothing more is learned; what was kept for it goes.
void LiveLog::settle_for_good() {
  kept_ = {};
  kept_bytes_ = 0;
  detector_.reset();
  learner_.reset();
}

void LiveLog::feed(std::size_t stream, std::string_view bytes, double now) {
  Pending& pending = pending_[stream];
  while (!bytes.empty()) {
    // A carriage return ends a line, too: progress bars write over themselves.
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view piece = bytes.substr(0, end);
    if (!piece.empty() || !std::isfinite(pending.arrived)) pending.arrived = now;
    if (!pending.skipping) {
      const std::size_t room = LineReader::longest_line - pending.text.size();
      pending.text += piece.substr(0, room);
      if (piece.size() > room) {
        ++cut_lines_;
        pending.skipping = true;
      }
    }
    if (end == std::string_view::npos) return;
    take_pending(pending);
    bytes.remove_prefix(end + 1);
  }
}

void LiveLog::take_pending(Pending& pending) {
  pending.text.resize(strip_colours(pending.text.data(), pending.text.size()));
  if (!pending.text.empty()) take(pending.text, pending.arrived);
  pending = {};
}

void LiveLog::take(std::string_view line, double now) {
  ++lines_;
  if (!trim(line).empty()) last_line_ = std::string(trim(line).substr(0, longest_last_line));
  out_of_memory_ = out_of_memory_ || tells_of_memory(line);
  if (builder_) builder_->add(line, lines_, now);
  if (learner_) keep(line, now);
  if (records() == 0) note_unread(line, now);
}

void LiveLog::note_unread(std::string_view line, double now) {
  if (line.find_first_of("0123456789") != std::string_view::npos) {
    if (samples_.size() == 2) samples_.erase(samples_.begin());
    samples_.emplace_back(trim(line).substr(0, longest_last_line));
  }
  // Headers come all at once, however long they are.
  if (!learner_ || !(now > last_moment_ + least_moment)) return;
  last_moment_ = now;
  hopeless_ = ++moments_ >= hopeless_moments;
}

void LiveLog::keep(std::string_view line, double now) {
  const std::size_t before = detector_ ? detector_->records() : 0;
  if (detector_) detector_->look(line);
  // A flood of lines that nobody understands must not be studied one by one.
  if (learner_->lines() < most_studied || lines_ % studied_share == 0) learner_->look(line, now);
  const bool is_record = detector_ && detector_->records() > before;
  if (is_record || kept_bytes_ + line.size() <= most_kept_bytes) {
    kept_.push_back({std::string(line), lines_, now});
    kept_bytes_ += line.size() + sizeof(Kept);
  }
  choose();
}

/// Bars that a program draws by a library's hand show more than the whole seconds of their clocks.
bool LiveLog::is_dialect_found() const {
  if (!detector_ || detector_->records() < deciding_records) return false;
  const Detection found = detector_->result();
  return !scheme_ || !dialect_named(found.candidates.front().name).of_library ||
         scheme_->records <= few_of_many * detector_->records();
}

/// A dialect as soon as one has read enough; until then, what the lines themselves teach.
void LiveLog::choose() {
  if (is_dialect_found()) {
    const std::string name = detector_->result().candidates.front().name;
    scheme_.reset();
    begin(name, dialect_named(name));
    settle_for_good();
    return;
  }
  if (lines_ >= next_try_) learn();
  const bool learned_enough = learner_->lines() >= most_learned || kept_bytes_ > most_kept_bytes;
  if (scheme_ && learned_enough) settle_for_good();
}

void LiveLog::learn() {
  next_try_ = std::max(lines_ + 3, lines_ + lines_ / 3);
  std::optional<LogScheme> scheme = learner_->scheme();
  if (!scheme || scheme->records < deciding_records) return;
  // Of a dialect that reads little, too little was seen yet.
  if (detector_ && few_of_many * detector_->records() > scheme->records) return;
  const bool same = scheme_ && *scheme_ == *scheme;
  scheme_ = std::move(scheme);  // of the same reading, more is known by now
  if (same) return;
  begin(generic_name, generic_dialect(*scheme_, options_.given.batch.has_value()));
}

void LiveLog::finish() {
  for (Pending& pending : pending_) {
    take_pending(pending);
  }
  if (!builder_ && detector_ && detector_->result().known()) {
    const std::string name = detector_->result().candidates.front().name;
    begin(name, dialect_named(name));
  }
  if (learner_ && (!builder_ || scheme_)) {
    // With all that was printed, more is known than when it was last looked at.
    std::optional<LogScheme> scheme = learner_->scheme();
    const bool same = scheme && scheme_ && *scheme == *scheme_;
    if (scheme) scheme_ = std::move(scheme);
    if (scheme_ && !same)
      begin(generic_name, generic_dialect(*scheme_, options_.given.batch.has_value()));
  }
  settle_for_good();
  if (!builder_ || records() == 0) return;
  contents_ = builder_->finish();
  contents_->cut_lines = cut_lines_;
  Dialect dialect = *dialect_;
  if (is_generic(name_) && scheme_) {
    // The reader is as old as its first lines; what is said of it is not.
    dialect = generic_dialect(*scheme_, options_.given.batch.has_value());
    dialect.scope = learned_scope(dialect, *contents_, options_.given);
  }
  figure_ = blind_figure(*contents_, dialect, options_.given);
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
  job.scope = is_generic(name_) ? learned_scope(*dialect_, contents, options_.given)
                                : scope_of(contents, run, dialect_->scope);
  describe_job(job, facts, *dialect_, options_.given);
  PrintedScale scale{job_factor(job), items_of_step(job, facts, *dialect_, options_.given)};
  if (!number_fact(facts, "accumulate")) scale.items *= options_.accumulate;
  // Where the number of items per step is unknown, steps are counted; the unit says so.
  // What was learned knows by itself which of its records count steps.
  const std::vector<Record> records = records_of(contents, run);
  const bool counts_steps =
      dialect_->counted == Counted::all_but_a_tenth || prints_times_only(records, *dialect_);
  if (counts_steps && !positive(scale.items) && !is_generic(name_)) scale.items = 1;
  return printed_steps(records, *dialect_, scale);
}

}  // namespace trainmark
