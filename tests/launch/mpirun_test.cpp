// What mpirun is asked for, with a script in its place; the real one is in tests/cluster.

#include <gtest/gtest.h>

#include <algorithm>

#include "launch/launcher.h"
#include "launch/programs_in_path.h"
#include "user_error.h"

namespace trainmark {
namespace {

LaunchRequest request_for(Scale scale, const std::vector<Host>& hosts) {
  LaunchRequest request;
  request.command = {"trainer"};
  request.scale = scale;
  request.hosts = hosts;
  request.port = 21000;
  return request;
}

LaunchPlan plan_of(const LaunchRequest& request) {
  const ProgramsInPath programs;
  programs.add("mpirun", "");
  return Registry<LauncherKind>::find("mpirun")->make()->plan(request);
}

/// The word behind a word.
std::string after(const std::vector<std::string>& words, const std::string& word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() || found + 1 == words.end() ? "" : *(found + 1);
}

TEST(Mpirun, PutsAsManyRanksOnEachHostAsTheScaleSays) {
  const auto words = plan_of(request_for({2, 8}, {{"a", 8}, {"b", 0}, {"c", 0}})).command;
  EXPECT_EQ(after(words, "-n"), "16");
  EXPECT_EQ(after(words, "--map-by"), "ppr:8:node");
  EXPECT_EQ(after(words, "--host"), "a:8,b:8");
  EXPECT_EQ(words.back(), "trainer");
}

TEST(Mpirun, NeedsHostsForSeveralNodesOnly) {
  EXPECT_EQ(after(plan_of(request_for({1, 2}, {})).command, "-n"), "2");
  EXPECT_NE(user_error_of([] {
              plan_of(request_for({2, 1}, {}));
            }).find("needs 2 hosts"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark
