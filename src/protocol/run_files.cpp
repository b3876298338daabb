#include "protocol/run_files.h"

#include <fmt/format.h>

namespace trainmark {

namespace {

std::string file_of_rank(const char* name, const char* ending, int rank, int ranks) {
  return ranks == 1 ? fmt::format("{}{}", name, ending)
                    : fmt::format("{}.{}{}", name, rank, ending);
}

}  // namespace

std::string events_file(int rank, int ranks) {
  return file_of_rank("events", ".jsonl", rank, ranks);
}

std::string output_file(int rank, int ranks) {
  return file_of_rank("stdout", ".log", rank, ranks);
}

std::string errors_file(int rank, int ranks) {
  return file_of_rank("stderr", ".log", rank, ranks);
}

}  // namespace trainmark
