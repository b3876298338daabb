#pragma once

#include <stdexcept>
#include <string>

namespace trainmark {

/// A fault of the user's: bad arguments, a bad suite, a folder that is not a journal.
/// The message says what is wrong, where, and what to write instead. Ends the program with code 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The machine would not let us: disk full, folder not writable, no more processes. Ends the
/// program with code 1; what was measured before stays.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A fault of ours. Says where, and stops.
[[noreturn]] void internal_error(const char* condition, const char* file, int line);

}  // namespace trainmark

#define TRAINMARK_ASSERT(condition) \
  ((condition) ? void() : ::trainmark::internal_error(#condition, __FILE__, __LINE__))
