#pragma once

#include <span>
#include <string>

#include "measure/run_summary.h"
#include "measure/turns.h"

namespace trainmark {

enum class Answer { faster, slower, same, unclear };

const char* text(Answer answer);

struct ComparisonLimits {
  double same = 0.01;  // an interval inside ±1 % is the same for every practical purpose
};

/// Two results of one cell, or of two cells that are to be compared.
struct Comparison {
  double ratio = 0;   // new throughput ÷ base throughput
  Interval interval;  // 95 %, of the ratio
  Answer answer = Answer::unclear;
  int more_rounds =
      0;            // for `unclear`: about how many more rounds would resolve it; 0 = cannot say
  std::string why;  // for `unclear`: in words
};

Comparison compare_runs(std::span<const RunSummary> base, std::span<const RunSummary> next,
                        const ComparisonLimits& limits = {});

/// Two trainers that took turns.
Comparison compare_pair(const PairedRatio& pair, const ComparisonLimits& limits = {});

}  // namespace trainmark
