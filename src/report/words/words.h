#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trainmark {

/// The language a report is written in. Names and messages of trainers stay as they are.
enum class Language { en, zh };

std::optional<Language> language_of(std::string_view name);

/// Every text a report says of its own accord; words.cpp holds each in every language.
enum class Word {
  // columns
  workload,
  size,
  framework,
  precision,
  batch,
  device,
  scale,
  throughput,
  interval,
  runs,
  step_time,
  memory,
  utilisation,
  energy,
  speedup,
  efficiency,
  communication,
  exposed,
  remarks,
  average,
  median,
  parameters,
  item,
  node_count,
  device_count,
  rank_count,
  // states
  failed,
  skipped,
  not_measured,
  remarks_heading,
  damaged_records,
  no_results,
  // the Markdown report
  report_title,
  report_intro,
  contents,
  tested,
  tested_metric,
  tested_workloads,
  tested_dimensions,
  dimension_devices,
  dimension_devices_text,
  dimension_precision,
  dimension_precision_text,
  dimension_batch,
  dimension_batch_text,
  environment,
  machine,
  software,
  environment_used_by,
  no_environment,
  repeat,
  repeat_command,
  repeat_suite,
  repeat_seed,
  repeat_trainmark,
  repeat_rule,
  repeat_no_suite,
  results,
  unit,
  matrix_note_batch,
  matrix_note_remark,
  matrix_note_accumulate,
  details,
  details_note,
  scaling,
  scaling_note,
  proof,
  proof_note,
  proof_reference,
  proof_none,
  proof_same,
  proof_differs,
  proof_tensors,
  proof_cause,
  proof_failed,
  fairness,
  fairness_note,
  fairness_same,
  versions,
  remarks_note,
  logs,
  logs_note,
  // comparisons
  comparison_title,
  cell,
  base,
  next,
  change,
  change_interval,
  answer,
  faster,
  slower,
  same,
  unclear,
  more_rounds,
  comparison_summary,
  only_in,
  nothing_in_common,
  // set-up, features, histories
  features,
  features_note,
  feature,
  feature_devices,
  feature_nodes,
  feature_accumulate,
  feature_proof,
  yes,
  no,
  setting_up,
  setting_up_trainmark,
  setting_up_framework,
  setting_up_foreign,
  setting_up_unknown,
  topology,
  all_workloads,
  all_workloads_note,
  time_to_train,
  accuracy,
  plot,
  environments_differ,
  environments_same,
  what_settles,
  journals,
  begun,
  history_title,
  history_summary,
  history_note,
  history_too_few,
  history_none,
  history_line,
  newest,
  noise_band,
  changes,
  share_of_fastest,
  count_,  // how many there are; no text
};

std::string_view say(Word word, Language language);

/// The same with figures filled in.
template <class... Arguments>
std::string say(Word word, Language language, const Arguments&... arguments) {
  return fmt::format(fmt::runtime(say(word, language)), arguments...);
}

/// One text in all languages, for the files that keep lists of them.
struct Phrase {
  std::string_view key;
  std::string_view en;
  std::string_view zh;

  std::string_view in(Language language) const { return language == Language::zh ? zh : en; }
};

const Phrase* find_phrase(std::span<const Phrase> phrases, std::string_view key);

/// What a verdict means, in a sentence; empty for a name that is not ours.
std::string_view explain_verdict(std::string_view name, Language language);
std::span<const Phrase> verdict_phrases();

/// A failure in words: "out of memory". An unknown name is shown as it is, dashes as blanks.
std::string failure_words(std::string_view failure, Language language);
std::span<const Phrase> failure_phrases();

/// Titles of the areas of an environment, by their keys.
std::span<const Phrase> area_phrases();

}  // namespace trainmark
