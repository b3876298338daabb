#include "launch/rank_variables.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <nlohmann/json.hpp>

#include "launch/pipe.h"
#include "launch/starter_processes.h"
#include "user_error.h"

namespace trainmark {
namespace {

TEST(RankVariables, TellEveryFrameworkItsPlace) {
  const auto variables = position_variables({3, Scale{2, 2}, {"a", "b"}, 21000});
  EXPECT_EQ(variables.at("RANK"), "3");
  EXPECT_EQ(variables.at("WORLD_SIZE"), "4");
  EXPECT_EQ(variables.at("LOCAL_RANK"), "1");
  EXPECT_EQ(variables.at("LOCAL_WORLD_SIZE"), "2");
  EXPECT_EQ(position_variables({2, Scale{2, 2}, {"a", "b"}, 21000}).at("LOCAL_RANK"), "0");
  EXPECT_EQ(variables.at("MASTER_ADDR"), "a");
  EXPECT_EQ(variables.at("MASTER_PORT"), "21000");
  EXPECT_EQ(variables.at("PADDLE_TRAINER_ENDPOINTS"), "a:21001,a:21002,b:21001,b:21002");
  EXPECT_EQ(variables.at("PADDLE_CURRENT_ENDPOINT"), "b:21002");
  EXPECT_EQ(variables.at("JAX_COORDINATOR_ADDRESS"), "a:21000");
  const auto config = nlohmann::json::parse(variables.at("TF_CONFIG"));
  EXPECT_EQ(config["task"]["index"], 3);
  EXPECT_EQ(config["cluster"]["worker"].size(), 4U);
}

TEST(RankVariables, OfOneRankMakeNobodyWait) {
  const auto variables = position_variables({0, Scale{}, {"127.0.0.1"}, 21000});
  EXPECT_FALSE(variables.contains("TF_CONFIG"));
  EXPECT_FALSE(variables.contains("PADDLE_TRAINERS_NUM"));
}

TEST(Ports, AreFree) {
  const int port = pick_ports(2);
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  EXPECT_EQ(bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

std::string refusal(const std::vector<Host>& hosts, Scale scale) {
  return user_error_of([&] { choose_hosts(hosts, scale, "named"); });
}

TEST(ChosenHosts, AreTheFirstOnes) {
  EXPECT_EQ(choose_hosts({{"a", 0}, {"b", 8}, {"c", 0}}, Scale{2, 8}, "named"),
            (std::vector<std::string>{"a", "b"}));
}

TEST(ChosenHosts, MustBeEnoughAndLargeEnough) {
  EXPECT_NE(refusal({{"a", 0}}, Scale{2, 1}).find("needs 2 hosts"), std::string::npos);
  EXPECT_NE(refusal({{"a", 4}}, Scale{1, 8}).find("a:8"), std::string::npos);
  EXPECT_NE(refusal({{"localhost", 0}, {"b", 0}}, Scale{2, 1}).find("cannot reach"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark
