#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "logs/grammar/json_line.h"

// MLPerf's `:::MLLOG` events. No rate is printed: an epoch's is the number of samples ÷ the time
// from its start to its stop. `block_start` and `block_stop` are used by some for the same, or for
// a part of an epoch, whose samples they say. Quality and target are events of their own; the time
// to train is that from `run_start` to `run_stop`.

namespace trainmark {

namespace {

// No training has more epochs between two evaluations.
constexpr double most_epochs = 1000;

struct State {
  double samples = not_known;  // of an epoch
  double batch = not_known;    // of all ranks
  double start = not_known;    // of the epoch or block that is under way, in seconds
  double before = not_known;   // the samples of all blocks before it
  std::int64_t epochs = 0;
};

void take_start(const nlohmann::json& event, State& state) {
  state.start = number_in(event, "time_ms") / 1000;
  state.before = number_in(object_in(event, "metadata"), "samples_count");
}

/// The samples of a block or an epoch, by what its stop says of it.
double items_of(const nlohmann::json& metadata, const State& state) {
  const double done = number_in(metadata, "samples_count") - state.before;
  if (std::isfinite(done)) return done;
  const double epochs = number_in(metadata, "epoch_count");
  // Some count samples where others count epochs.
  if (epochs > most_epochs && !(epochs < state.batch) && !(epochs > state.samples)) return epochs;
  return state.samples * (epochs > 0 ? epochs : 1);
}

bool take_stop(const nlohmann::json& event, State& state, Record& record) {
  const double stop = number_in(event, "time_ms") / 1000;
  record.items = items_of(object_in(event, "metadata"), state);
  record.seconds = stop - state.start;
  record.stamp = stop;
  record.kind = RecordKind::epoch;
  record.epoch = state.epochs++;
  state.start = not_known;
  return record.seconds > 0 && record.items > 0;
}

/// The keys under which programs log the quality that they train to.
constexpr std::array<std::string_view, 6> target_keys = {
    "target_accuracy", "target_quality",      "quality_target",
    "eval_target",     "target_mlm_accuracy", "target_eval_accuracy"};

bool is_target(std::string_view key) {
  return std::find(target_keys.begin(), target_keys.end(), key) != target_keys.end();
}

/// What a training says of its quality so far.
struct Learned {
  double begin = not_known;  // of the run, in milliseconds
  double target = not_known;
  bool lower = false;          // a lower quality is better: reported by some benchmarks
  double reached = not_known;  // when an evaluation reached the target, since the beginning

  void take(const nlohmann::json& event, const QualityKeeper& keep) {
    const std::string key = text_in(event, "key");
    const double moment = number_in(event, "time_ms");
    const double value = number_in(event, "value");
    if (key == "run_start") {
      begin = moment;
      reached = not_known;
    }
    if (key == "run_stop" && moment > begin) keep("time_to_train", (moment - begin) / 1000);
    if (is_target(key) && std::isfinite(value)) {
      target = value;
      lower = text_in(object_in(event, "metadata"), "better") == "lower";
      keep("target", value);
    }
    if ((key == "eval_accuracy" || key == "eval_loss" || key == "eval_error") &&
        std::isfinite(value))
      take_evaluation(key, value, moment, keep);
  }

 private:
  void take_evaluation(const std::string& key, double value, double moment,
                       const QualityKeeper& keep) {
    keep(key, value);
    if (!std::isnan(reached) || !(moment > begin)) return;
    const bool is_lower = lower || key != "eval_accuracy";
    if (!(is_lower ? value <= target : value >= target)) return;
    reached = moment - begin;
    keep("time_to_target", reached / 1000);
  }
};

QualityReader make_quality_reader() {
  return [learned = Learned()](std::string_view text, const QualityKeeper& keep) mutable {
    constexpr std::string_view mark = ":::MLLOG ";
    if (text.find(mark) == std::string_view::npos) return;
    Cursor line(text);
    while (line.skip_to(mark)) {
      const auto event = take_object(line);
      if (!event) continue;
      learned.take(*event, keep);
    }
  };
}

RecordReader make_reader() {
  return [state = State()](Cursor& line, Record& record) mutable {
    while (begin_record(line, record, ":::MLLOG ")) {
      const auto event = take_object(line);
      if (!event) continue;
      const std::string key = text_in(*event, "key");
      if (key == "train_samples") state.samples = number_in(*event, "value");
      if (key == "global_batch_size") state.batch = number_in(*event, "value");
      if (key == "epoch_start" || key == "block_start") take_start(*event, state);
      if ((key == "epoch_stop" || key == "block_stop") && take_stop(*event, state, record))
        return true;
    }
    return false;
  };
}

const Registration<Dialect> registered(
    "mlperf",
    {.summary = "MLPerf's logging",
     .sample = R"(:::MLLOG {"time_ms": 1700000000000, "event_type": "POINT_IN_TIME", "key": )"
               R"("train_samples", "value": 1000, "metadata": {}})"
               "\n"
               R"(:::MLLOG {"time_ms": 1700000001000, "event_type": "INTERVAL_START", "key": )"
               R"("epoch_start", "value": null, "metadata": {}})"
               "\n"
               R"(:::MLLOG {"time_ms": 1700000011000, "event_type": "INTERVAL_END", "key": )"
               R"("epoch_stop", "value": null, "metadata": {}})",
     .scope = Scope::job,
     .unit = "samples/s",
     .field = "value",
     .headline = RecordKind::epoch,
     .quality_reader = make_quality_reader,
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
