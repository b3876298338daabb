#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

// Checks of the values that options of a command line are given. Their messages say what to write.

namespace trainmark {

/// A number in a range, ends included; never nan or inf.
CLI::Validator number_from(double least, double most);

/// A number above `limit`, up to `most`.
CLI::Validator number_above(double limit, double most);

/// A whole number in a range, ends included.
CLI::Validator whole_from(std::int64_t least, std::int64_t most);

/// One of a few words.
CLI::Validator one_of(const std::vector<std::string>& words);

}  // namespace trainmark
