#include "base/error.h"

#include <cstdio>
#include <cstdlib>

namespace trainmark {

void internal_error(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "trainmark: internal error: %s does not hold (%s:%d)\n", condition, file,
               line);
  std::abort();
}

}  // namespace trainmark
