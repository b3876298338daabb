#pragma once

#include <string>
#include <vector>

#include "measure/time_to_quality.h"
#include "report/content/report.h"
#include "report/writing/table.h"

namespace trainmark {

/// How long each cell takes to learn: target, how many trainings reached it, time, samples and time
/// per sample with their intervals. No rows where nothing was trained to quality.
Table quality_table(const ReportInput& input);

/// "0.9".
std::string target_text(double target);

/// "61.2 s (55.1 … 68.0)"; "> 55 s" where hardly any training reached the target.
std::string seconds_text(const Factor& factor);
std::string samples_text(const Factor& factor);
/// In ms or µs, as it suits.
std::string seconds_per_sample_text(const Factor& factor);

/// The results that may be compared: they differ in framework and precision alone, and were trained
/// to the same target. In the order of the journal.
std::vector<std::vector<const Result*>> quality_groups(const std::vector<Result>& results);

/// Whether a cell learns from as many samples as another that differs in framework or precision
/// alone.
struct Equivalence {
  const Result* base;
  const Result* other;
  FactorComparison samples;
};

/// Each cell against the reference framework in the same precision (libtorch, else the first that
/// was measured), and against its own framework in fp32.
std::vector<Equivalence> equivalences(const std::vector<Result>& results);

/// "same", "more", "fewer" or "unclear".
std::string samples_answer(Answer answer, Language language);
/// "1.08 (0.97 … 1.21)".
std::string ratio_interval_text(const FactorComparison& comparison);

Table equivalence_table(const ReportInput& input);

/// Who reaches the target first, a sentence for each group of cells that may be compared.
std::vector<std::string> quality_sentences(const ReportInput& input);

}  // namespace trainmark
