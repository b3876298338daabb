#pragma once

#include <string>

namespace trainmark {

/// The names of a rank's files in the folder of a run: events.jsonl of a rank that is alone,
/// events.3.jsonl of one among several.
std::string events_file(int rank, int ranks);
std::string output_file(int rank, int ranks);  // what it printed
std::string errors_file(int rank, int ranks);  // … on standard error

/// What mpirun or srun itself said.
inline constexpr const char* starter_file = "starter.log";

}  // namespace trainmark
