#include "protocol/rank_position.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/text.h"
#include "embedded/rank_variables.h"

namespace trainmark {

namespace {

constexpr const char* address_variable = "MASTER_ADDR";
constexpr const char* port_variable = "MASTER_PORT";
constexpr int most_ranks = std::numeric_limits<int>::max();

/// The number in a variable, `otherwise` where there is none.
int number_in(const std::string& name, int otherwise, int least, int most) {
  const char* text = std::getenv(name.c_str());
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

RankPosition position_in(const RankVariables& names) {
  RankPosition position;
  position.ranks = number_in(names.ranks, 1, 1, most_ranks);
  position.rank = number_in(names.rank, 0, 0, position.ranks - 1);
  position.local_rank = number_in(names.local_rank, 0, 0, position.ranks - 1);
  return position;
}

RankPosition position_of_launcher() {
  for (const RankVariables& names : all_rank_variables()) {
    if (std::getenv(names.rank.c_str()) != nullptr) return position_in(names);
  }
  // Half of torchrun's variables are a slip, not a job of one.
  const RankVariables& torchrun = rank_variables("torchrun");
  if (number_in(torchrun.ranks, 1, 1, most_ranks) != 1) {
    throw UserError(
        fmt::format("{} is set and {} is not; set both or none", torchrun.ranks, torchrun.rank));
  }
  return {};
}

}  // namespace

const std::vector<RankVariables>& all_rank_variables() {
  static const std::vector<RankVariables> all = [] {
    std::vector<RankVariables> read;
    for (const auto& entry : YAML::Load(std::string(embedded::rank_variables))) {
      const auto text = [&](const char* key) { return entry[key].as<std::string>(); };
      read.push_back({text("launcher"), text("rank"), text("ranks"), text("local_rank")});
    }
    return read;
  }();
  return all;
}

const RankVariables& rank_variables(std::string_view launcher) {
  const auto& all = all_rank_variables();
  const auto found = std::find_if(all.begin(), all.end(), [&](const RankVariables& names) {
    return names.launcher == launcher;
  });
  TRAINMARK_ASSERT(found != all.end());
  return *found;
}

RankPosition find_rank_position() {
  RankPosition position = position_of_launcher();
  position.master_port = number_in(port_variable, position.master_port, 1, 65535);
  if (const char* address = std::getenv(address_variable)) position.master_address = address;
  if (!position.alone() && position.master_address.empty()) {
    throw UserError(
        fmt::format("there are {} ranks, but {} is not set; it must be the address of rank 0, the "
                    "same for all",
                    position.ranks, address_variable));
  }
  return position;
}

std::map<std::string, std::string> to_variables(const RankPosition& position) {
  const RankVariables& names = rank_variables("torchrun");
  return {{names.rank, std::to_string(position.rank)},
          {names.ranks, std::to_string(position.ranks)},
          {names.local_rank, std::to_string(position.local_rank)},
          {address_variable, position.master_address},
          {port_variable, std::to_string(position.master_port)}};
}

}  // namespace trainmark
