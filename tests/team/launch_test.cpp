// What launchers write into the environment.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "support/error.hpp"
#include "team/team.hpp"

namespace conesweep::team {
namespace {

class Launched : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static void clear() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK",
                             "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_PROCID"})
      unsetenv(name);
  }

  static std::pair<int, int> find(const std::map<std::string, std::string>& variables) {
    clear();
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    const Launch launch = find_launch();
    return {launch.rank, launch.size};
  }
};

using Found = std::pair<int, int>;

TEST_F(Launched, AloneWithoutALauncher) { EXPECT_EQ(find({}), Found(0, 1)); }

TEST_F(Launched, ByMpirunMpiexecAndSrun) {
  EXPECT_EQ(find({{"OMPI_COMM_WORLD_SIZE", "64"}, {"OMPI_COMM_WORLD_RANK", "3"}}), Found(3, 64));
  EXPECT_EQ(find({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}), Found(1, 2));
  EXPECT_EQ(find({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "7"}}), Found(7, 8));
}

TEST_F(Launched, ByMpirunInsideAStepOfSlurmItIsMpirunsNumbersThatCount) {
  EXPECT_EQ(find({{"OMPI_COMM_WORLD_SIZE", "4"},
                  {"OMPI_COMM_WORLD_RANK", "2"},
                  {"SLURM_STEP_NUM_TASKS", "2"},
                  {"SLURM_PROCID", "1"}}),
            Found(2, 4));
}

TEST_F(Launched, ABatchScriptIsAlone) { EXPECT_EQ(find({{"SLURM_NTASKS", "64"}, {"SLURM_PROCID", "0"}}), Found(0, 1)); }

TEST_F(Launched, WhatIsNoRankIsNotBelieved) {
  EXPECT_EQ(find({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "2"}}), Found(0, 1));
  EXPECT_EQ(find({{"PMI_SIZE", "many"}, {"PMI_RANK", "0"}}), Found(0, 1));
  EXPECT_EQ(find({{"PMI_SIZE", "2"}}), Found(0, 1));
  EXPECT_EQ(find({{"SLURM_STEP_NUM_TASKS", "2x"}, {"SLURM_PROCID", "-1"}}), Found(0, 1));
}

}  // namespace
}  // namespace conesweep::team
