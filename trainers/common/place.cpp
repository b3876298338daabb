#include "common/place.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/text.h"

namespace trainmark::train {
namespace {

struct PlaceVariables {
  const char* rank;
  const char* ranks;
  const char* local_rank;
};

constexpr std::array<PlaceVariables, 3> kPlaceVariables = {{
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
}};

/// The number in a variable, `otherwise` where there is none.
int number_in(const char* name, int otherwise, int least, int most) {
  const char* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  int number = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  if (error != std::errc() || rest != end || number < least || number > most) {
    throw UserError(fmt::format("{} is '{}': it must be a number from {} to {}", name,
                                printable(text), least, most));
  }
  return number;
}

Place place_in(const PlaceVariables& names) {
  constexpr int most_ranks = std::numeric_limits<int>::max();
  Place place;
  place.ranks = number_in(names.ranks, 1, 1, most_ranks);
  place.rank = number_in(names.rank, 0, 0, place.ranks - 1);
  place.local_rank = number_in(names.local_rank, 0, 0, place.ranks - 1);
  return place;
}

Place place_of_launcher() {
  for (const PlaceVariables& names : kPlaceVariables) {
    if (std::getenv(names.rank) != nullptr) return place_in(names);
  }
  // Half of torchrun's variables are a slip, not a job of one.
  if (number_in("WORLD_SIZE", 1, 1, std::numeric_limits<int>::max()) != 1) {
    throw UserError("WORLD_SIZE is set and RANK is not; set both or none");
  }
  return {};
}

}  // namespace

Place find_place() {
  Place place = place_of_launcher();
  place.master_port = number_in("MASTER_PORT", place.master_port, 1, 65535);
  if (const char* address = std::getenv("MASTER_ADDR")) place.master_address = address;
  if (!place.alone() && place.master_address.empty()) {
    throw UserError(
        fmt::format("there are {} ranks and MASTER_ADDR is not set; it must be the address of rank "
                    "0, the same for all",
                    place.ranks));
  }
  return place;
}

}  // namespace trainmark::train
