#include "protocol/rank_position.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "base/error.h"

namespace trainmark {
namespace {

/// The environment of a process as a launcher sets it, and nothing of any other launcher.
class RankPositions : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static RankPosition position(const std::map<std::string, std::string>& variables) {
    clear();
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    return find_rank_position();
  }

  static std::string complaint(const std::map<std::string, std::string>& variables) {
    try {
      position(variables);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no complaint";
  }

 private:
  static void clear() {
    for (const char* name :
         {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "OMPI_COMM_WORLD_RANK",
          "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_PROCID", "SLURM_NTASKS",
          "SLURM_LOCALID"}) {
      unsetenv(name);
    }
  }
};

TEST_F(RankPositions, WithoutALauncherAProcessIsAlone) {
  const RankPosition alone = position({});
  EXPECT_TRUE(alone.alone());
  EXPECT_EQ(alone.rank, 0);
  EXPECT_EQ(alone.master_port, 29500);
}

TEST_F(RankPositions, AreReadFromEveryLauncher) {
  for (const auto& names :
       {std::array{"RANK", "WORLD_SIZE", "LOCAL_RANK"},
        std::array{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
        std::array{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"}}) {
    const RankPosition found =
        position({{names[0], "5"}, {names[1], "8"}, {names[2], "1"}, {"MASTER_ADDR", "a"}});
    EXPECT_EQ(found.rank, 5) << names[0];
    EXPECT_EQ(found.ranks, 8) << names[0];
    EXPECT_EQ(found.local_rank, 1) << names[0];
  }
}

TEST_F(RankPositions, AreThoseOfTorchrunWhereSeveralLaunchersSpeak) {
  EXPECT_EQ(position({{"RANK", "1"},
                      {"WORLD_SIZE", "2"},
                      {"MASTER_ADDR", "a"},
                      {"SLURM_PROCID", "0"},
                      {"SLURM_NTASKS", "1"}})
                .rank,
            1);
}

TEST_F(RankPositions, AreReadAsTheyWereWritten) {
  const RankPosition found = position(to_variables(
      {.rank = 3, .ranks = 4, .local_rank = 1, .master_address = "a", .master_port = 21000}));
  EXPECT_EQ(found.rank, 3);
  EXPECT_EQ(found.ranks, 4);
  EXPECT_EQ(found.local_rank, 1);
  EXPECT_EQ(found.master_address, "a");
  EXPECT_EQ(found.master_port, 21000);
}

TEST_F(RankPositions, ThatMakeNoSenseAreRefused) {
  EXPECT_EQ(complaint({{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}}),
            "RANK is '2': it must be a number from 0 to 1");
  EXPECT_EQ(complaint({{"WORLD_SIZE", "2"}}),
            "WORLD_SIZE is set and RANK is not; set both or none");
  EXPECT_NE(complaint({{"RANK", "0"}, {"WORLD_SIZE", "2"}}).find("MASTER_ADDR is not set"),
            std::string::npos);
  EXPECT_NE(complaint({{"MASTER_PORT", "http"}}).find("MASTER_PORT is 'http'"), std::string::npos);
}

}  // namespace
}  // namespace trainmark
