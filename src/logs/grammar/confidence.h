#pragma once

namespace trainmark {

/// How sure it is what the lines mean.
enum class Confidence {
  high,    // a known dialect, or a pattern of the user
  medium,  // a guess that the log itself supports
  low      // a guess, or a log from which no throughput can be had
};

const char* text(Confidence confidence);

}  // namespace trainmark
