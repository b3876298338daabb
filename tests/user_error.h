#pragma once

#include <string>

#include "base/error.h"

namespace trainmark {

/// The message of the error that `action` throws, "" where it throws none.
template <class Error, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The words with which an action is refused; empty where it is not.
template <class Action>
std::string user_error_of(const Action& action) {
  return message_of<UserError>(action);
}

}  // namespace trainmark
