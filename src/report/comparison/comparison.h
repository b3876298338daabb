#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measure/comparison.h"
#include "measure/time_to_quality.h"
#include "report/content/environment_differences.h"
#include "report/content/report.h"

namespace trainmark {

/// One cell that both journals hold, and what became of it.
struct ComparedCell {
  Result base;
  Result next;
  /// Of throughputs; of cells that were trained to quality, of how fast they reach it.
  Comparison comparison;
  std::optional<QualityComparison> quality = {};  // by factor
};

/// One way in which a comparison breaks what a gate asks for.
struct GateReason {
  std::string key;     // of the cell
  Word word;           // what is wrong
  double percent = 0;  // slower by
};

/// All that a comparison report is made from.
struct ComparisonInput {
  std::string base_name;  // as the user named them
  std::string next_name;
  std::vector<ComparedCell> cells;
  std::vector<Result> only_base;
  std::vector<Result> only_next;
  std::vector<Cell> lost_proofs =
      {};  // proven to train the same in base, and proven not to in next
  Language language = Language::en;
  ReportOptions options;
  std::vector<EnvironmentDifference> environments = {};  // base, new
  double same = 0.01;                                    // what counts as no difference
  std::vector<GateReason> gate = {};                     // why it trips; none where it does not
};

/// How many cells have each answer.
struct AnswerCounts {
  std::size_t faster = 0, slower = 0, same = 0, unclear = 0;
};

AnswerCounts count_answers(const ComparisonInput& input);

/// What a format of comparisons registers: "table", "md", "json".
struct ComparisonFormat {
  std::string summary;
  std::function<void(const ComparisonInput& input, std::ostream& out)> write;
};

// For the formats.

/// What needs attention first: slower, unclear, faster, same; the largest loss on top.
std::vector<const ComparedCell*> worst_first(const ComparisonInput& input);
Tone tone_of(Answer answer);
/// Is there anything to say of how to resolve what is unclear?
bool has_advice(const ComparisonInput& input);
std::string answer_words(Answer answer, Language language);
/// What is compared: a throughput, or a time to quality.
std::string compared_text(const ComparedCell& cell, const Result& result);
/// The factors of cells that were trained to quality, one row each. No rows where there are none.
Table factor_table(const ComparisonInput& input);
/// For `unclear`: what would resolve it, or why it is unclear. Empty for a clear answer.
std::string settling_text(const Comparison& comparison, Language language);
std::string summary_line(const ComparisonInput& input);
/// Without the cell: "slower by 2.50 %".
std::string gate_text(const GateReason& reason, Language language);
nlohmann::json keys_json(const std::vector<Result>& results);
nlohmann::json counts_json(const ComparisonInput& input);  // by answer

}  // namespace trainmark
