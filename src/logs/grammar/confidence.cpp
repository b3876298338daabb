#include "logs/grammar/confidence.h"

namespace trainmark {

const char* text(Confidence confidence) {
  switch (confidence) {
    case Confidence::high:
      return "high";
    case Confidence::medium:
      return "medium";
    case Confidence::low:
      return "low";
  }
  return "";
}

}  // namespace trainmark
