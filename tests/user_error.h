#pragma once

#include <string>

#include "base/error.h"

namespace trainmark {

/// The words with which an action is refused; empty where it is not.
template <class Action>
std::string user_error_of(const Action& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace trainmark
