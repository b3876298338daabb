#include "trainers/support/ranks.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace trainmark::test {
namespace {

/// One that was free a moment ago.
int free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  bind(probe, reinterpret_cast<sockaddr*>(&address), length);
  getsockname(probe, reinterpret_cast<sockaddr*>(&address), &length);
  close(probe);
  return ntohs(address.sin_port);
}

}  // namespace

Ranks::Ranks(int count, const std::vector<std::string>& arguments) {
  const std::string port = std::to_string(free_port());
  for (int rank = 0; rank < count; ++rank) {
    programs_.push_back(std::make_unique<Program>(
        arguments, true,
        std::map<std::string, std::string>{{"RANK", std::to_string(rank)},
                                           {"LOCAL_RANK", std::to_string(rank)},
                                           {"WORLD_SIZE", std::to_string(count)},
                                           {"MASTER_ADDR", "127.0.0.1"},
                                           {"MASTER_PORT", port},
                                           {"OMP_NUM_THREADS", "1"}}));
  }
}

void Ranks::finish() {
  for (const auto& program : programs_) EXPECT_EQ(program->finish(), 0) << program->err();
}

std::vector<double> Ranks::losses(int rank) const {
  std::vector<double> losses;
  for (const auto& step : programs_.at(static_cast<std::size_t>(rank))->events("step")) {
    losses.push_back(step.at("loss"));
  }
  return losses;
}

}  // namespace trainmark::test
