#include "cli/output_path.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/version.h"
#include "journal/proof.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

namespace fs = std::filesystem;

TEST(ResultsFolder, HasANameThatNoOtherHas) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  std::set<fs::path> names;
  for (int i = 0; i < 20; ++i) {
    const fs::path made = make_results_folder("quick");
    EXPECT_TRUE(fs::is_empty(made));
    EXPECT_TRUE(names.insert(made).second) << made;
    EXPECT_TRUE(is_results_folder(made, "quick")) << made;
    EXPECT_FALSE(is_results_folder(made, "quic")) << made;
  }
  fs::current_path(before);
}

TEST(ResultsFolder, LiesWhereTheUserWantsIt) {
  const TemporaryFolder folder;
  EXPECT_EQ(results_folder(), "results");
  setenv("TRAINMARK_RESULTS", (folder.path() / "mine").c_str(), 1);
  EXPECT_EQ(results_folder(), folder.path() / "mine");
  EXPECT_EQ(proofs_folder(home()), folder.path() / "mine" / "verify");
  EXPECT_EQ(make_results_folder("quick").parent_path(), folder.path() / "mine");
  setenv("TRAINMARK_RESULTS", "", 1);
  EXPECT_EQ(results_folder(), "results") << "a variable of the shell that was never set";
  unsetenv("TRAINMARK_RESULTS");
}

TEST(ResultsFolder, IsToldFromThatOfASuiteWithALongerName) {
  EXPECT_TRUE(is_results_folder("results/quick-20260101-120000", "quick"));
  EXPECT_TRUE(is_results_folder("results/quick-20260101-120000-2", "quick"));
  for (const char* other :
       {"quick", "quick-", "quick-gpu-20260101-120000", "quick-20260101", "quick-20260101-12000x",
        "quick-20260101-120000-", "quick-20260101-120000-2-3"}) {
    EXPECT_FALSE(is_results_folder(fs::path("results") / other, "quick")) << other;
  }
  EXPECT_TRUE(is_results_folder("results/quick-gpu-20260101-120000", "quick-gpu"));
}

}  // namespace
}  // namespace trainmark
