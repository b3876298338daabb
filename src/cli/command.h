#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/registry.h"

namespace trainmark {

/// A subcommand. One thin file each, registering itself: `add` declares the options and returns
/// what is to be done once they are parsed; its value is the exit code.
struct Subcommand {
  std::string summary;
  std::function<std::function<int()>(CLI::App& app)> add;
  bool internal = false;  // started by Trainmark itself: not listed
};

/// Those that people use.
std::vector<std::string> command_names();

constexpr int exit_well = 0;
constexpr int exit_failed = 1;     // a measurement failed, a gate tripped, the machine refused
constexpr int exit_bad_input = 2;  // the message says what to write instead

}  // namespace trainmark
