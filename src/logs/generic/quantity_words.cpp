#include "logs/generic/quantity_words.h"

#include "logs/generic/unit_words.h"
#include "logs/generic/word_match.h"

namespace trainmark {

namespace {

/// `time/step`, but not `time/s`.
bool is_time_over_what_is_counted(std::string_view words) {
  constexpr std::string_view time = "time/";
  const std::size_t at = words.find(time);
  return at != std::string_view::npos &&
         unit_seconds(unit_letters(words.substr(at + time.size()))) == 0;
}

}  // namespace

bool is_part_or_other_phase(std::string_view words) {
  return has_one_of(words, {"eta",      "remain",    "data",       "reader",    "load",
                            "wait",     "forward",   "backward",   "allreduce", "all_reduce",
                            "comm",     "optim",     "valid",      "eval",      "compil",
                            "save",     "ckpt",      "checkpoint", "infer",     "sync",
                            "compute_", "timestamp", "gener",      "max_",      "timeout"}) ||
         has_word(words, {"val", "test", "fwd", "bwd", "io", "left", "until", "max", "min", "gc",
                          "limit", "last", "opt", "clip", "fw", "bw", "grads", "h2d", "zero"}) ||
         words.starts_with("last_") || words.starts_with("test");
}

bool is_of_micro_step(std::string_view words) {
  return has_one_of(lower_text(words), {"micro"});
}

bool is_of_interval(std::string_view words) {
  if (words.ends_with(" for") || words.ends_with(" per")) return true;
  return words.ends_with(" in") &&
         has_word(words, {"steps", "iters", "iterations", "its", "batches", "updates"});
}

bool is_of_device(std::string_view words) {
  const std::string text = lower_text(words);
  for (const std::string_view one : {"device", "gpu", "chip", "card", "rank"})
    for (const std::string_view per : {"/", "per ", "per_"})
      if (text.find(std::string(per) + std::string(one)) != std::string_view::npos) return true;
  return text.ends_with("/dev") || has_word(text, {"tgs"});  // tokens per GPU and second
}

bool is_running_mean(std::string_view words) {
  return has_one_of(words, {"running"});
}

bool is_since_start(std::string_view words) {
  return has_one_of(words, {"elapsed", "total", "wall", "since", "train_time", "runtime", "cumul"});
}

bool is_of_step(std::string_view words) {
  return has_one_of(words, {"per iter", "per step", "per batch", "per_iter", "per_step",
                            "per_batch", "step_time", "step_timing", "iter_time", "batch_time",
                            "batch_cost", "iter_cost", "step_cost", "step_avg", "step time",
                            "iter time", "batch time", "iteration time", "iteration_time"}) ||
         is_time_over_what_is_counted(words) || has_word(words, {"dt"}) ||
         is_one_of(words, {"step", "iter", "iteration", "batch"});  // `iter 350 ms`
}

bool is_other_work(std::string_view words) {
  const std::string text = lower_text(words);
  return has_one_of(text, {"valid",    "eval",        "download",  "tokeniz",    "loading",
                           "infer",    "predict",     "generat",   "preprocess", "processing",
                           "prepar",   "caching",     "extract",   "sanity",     "fetching",
                           "filter",   "test set",    "saving",    "computing",  "map (",
                           "map:",     "warmup",      "warm-up",   "creating",   "reading",
                           "scanning", "sampling",    "instances", "casting",    "flattening",
                           "grouping", "running tok", "building"}) ||
         has_word(text, {"val", "test", "testing", "dev", "map", "inference"});
}

}  // namespace trainmark
