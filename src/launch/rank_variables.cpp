#include "launch/rank_variables.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <nlohmann/json.hpp>
#include <random>

#include "base/error.h"
#include "base/text.h"
#include "launch/pipe.h"
#include "protocol/rank_position.h"

namespace trainmark {

namespace {

constexpr int first_port = 20000;
constexpr int last_port = 32767;  // Linux gives away those from 32768 on
constexpr int most_tries = 200;

bool is_free(int port) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return socket.is_open() &&
         bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

bool all_free(int first, int count) {
  for (int port = first; port < first + count; ++port) {
    if (!is_free(port)) return false;
  }
  return true;
}

/// A port for every rank, beside the one of rank 0.
std::vector<std::string> endpoints_of(const RankInJob& position) {
  std::vector<std::string> endpoints;
  for (int rank = 0; rank < position.scale.ranks(); ++rank) {
    const auto node = static_cast<std::size_t>(rank / position.scale.per_node);
    endpoints.push_back(position.hosts.at(node) + ":" +
                        std::to_string(position.port + 1 + rank % position.scale.per_node));
  }
  return endpoints;
}

void add_paddle(std::map<std::string, std::string>& variables, const RankInJob& position,
                const std::vector<std::string>& endpoints, const std::string& master) {
  variables["PADDLE_TRAINER_ID"] = std::to_string(position.rank);
  variables["PADDLE_TRAINERS_NUM"] = std::to_string(position.scale.ranks());
  variables["PADDLE_TRAINER_ENDPOINTS"] = join(endpoints, ",");
  variables["PADDLE_CURRENT_ENDPOINT"] = endpoints.at(static_cast<std::size_t>(position.rank));
  variables["PADDLE_MASTER"] = master;
  variables["PADDLE_RANK_IN_NODE"] = std::to_string(position.rank % position.scale.per_node);
}

}  // namespace

std::map<std::string, std::string> position_variables(const RankInJob& position) {
  const int ranks = position.scale.ranks();
  auto variables = to_variables({.rank = position.rank,
                                 .ranks = ranks,
                                 .local_rank = position.rank % position.scale.per_node,
                                 .master_address = position.hosts.at(0),
                                 .master_port = position.port});
  variables["LOCAL_WORLD_SIZE"] = std::to_string(position.scale.per_node);
  // Alone, a rank needs none of these, and some frameworks would wait for others because of them.
  if (ranks == 1) return variables;
  const std::vector<std::string> endpoints = endpoints_of(position);
  const std::string master = position.hosts.at(0) + ":" + std::to_string(position.port);
  add_paddle(variables, position, endpoints, master);
  variables["TF_CONFIG"] = nlohmann::json{{"cluster", {{"worker", endpoints}}},
                                          {"task", {{"type", "worker"}, {"index", position.rank}}}}
                               .dump();
  variables["JAX_COORDINATOR_ADDRESS"] = master;
  variables["JAX_NUM_PROCESSES"] = std::to_string(ranks);
  variables["JAX_PROCESS_ID"] = std::to_string(position.rank);
  return variables;
}

std::map<std::string, std::string> thread_variables(std::size_t cores) {
  const std::string threads = std::to_string(std::max<std::size_t>(1, cores));
  return {{"OMP_NUM_THREADS", threads},
          {"MKL_NUM_THREADS", threads},
          {"OPENBLAS_NUM_THREADS", threads}};
}

const std::vector<std::string>& rank_variable_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& variables :
         {position_variables({0, Scale{1, 2}, {"localhost"}, first_port}), thread_variables(1)}) {
      for (const auto& [name, value] : variables) all.push_back(name);
    }
    return all;
  }();
  return names;
}

int pick_ports(int per_node) {
  static std::random_device chance;
  std::uniform_int_distribution<int> ports(first_port, std::max(first_port, last_port - per_node));
  for (int i = 0; i < most_tries; ++i) {
    const int port = ports(chance);
    if (all_free(port, per_node + 1)) return port;
  }
  throw SystemError("no free port between 20000 and 32767 for the ranks to connect to");
}

}  // namespace trainmark
