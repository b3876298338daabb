#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// The variables in which one launcher tells a process its rank.
struct RankVariables {
  std::string launcher;
  std::string rank;
  std::string ranks;
  std::string local_rank;
};

/// protocol/rank_variables.yaml, in its order: the first whose `rank` is set counts.
const std::vector<RankVariables>& all_rank_variables();

/// Those of one launcher in the file.
const RankVariables& rank_variables(std::string_view launcher);

/// Where a process stands in its job: one process is one rank.
struct RankPosition {
  int rank = 0;
  int ranks = 1;
  int local_rank = 0;          // among those of its machine
  std::string master_address;  // of rank 0
  int master_port = 29500;     // the one that frameworks use by custom

  bool alone() const { return ranks == 1; }
};

/// Of this process, from the variables of torchrun; where RANK is missing, from those of the other
/// launchers. Without any, the process is alone. Throws UserError where they make no sense.
RankPosition find_rank_position();

/// The variables of torchrun from which `find_rank_position` reads this position.
std::map<std::string, std::string> to_variables(const RankPosition& position);

}  // namespace trainmark
