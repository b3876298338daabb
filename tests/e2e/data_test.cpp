// A data set as a dimension, with a trainer whose speeds are known: the cost of the input is the
// true one, and the trainer is asked for what it takes to know it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

/// A step takes 20 ms, or 25 ms with a data set, of which it waits 4 ms; a batch alone takes 10 ms.
class DataSets : public testing::Test {
 protected:
  DataSets() : home_(empty_home(folder_ / "home")) {
    const fs::path program = folder_ / "home" / "frameworks" / "reader";
    fs::create_directories(program);
    fs::create_directory(folder_ / "flowers");
    write_text(program / "framework.yaml", "title: reader\nprogram: [./start]\nsetup: none\n");
    write_text(program / "start", fmt::format(R"(#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{{"protocol":1,"versions":{{}},"devices":[{{"name":"cpu"}}],"workloads":[{{"name":"x",'\
'"unit":"images","modes":["eager"],"sizes":[{{"name":"tiny","batch":1}}],'\
'"precisions":{{"cpu":["fp32"]}},"data":["imagefolder"]}}]}}'
  exit 0
fi
echo "$*" >> {0}/asked
seconds=0.020 data=
case "$*" in *--data*) seconds=0.025 data=',"data":0.004' ;; esac
case "$*" in *--input-only*) seconds=0.010 data= ;; esac
exec awk -v seconds="$seconds" -v data="$data" 'BEGIN {{
  print "{{\"event\":\"start\",\"batch\":1,\"data\":{{\"workers\":2}}}}"
  for (step = 0; step < 200; ++step)
    printf "{{\"event\":\"step\",\"step\":%d,\"end\":%f,\"seconds\":%s,\"items\":1%s}}\n",
           step, (step + 1) * seconds, seconds, data
  print "{{\"event\":\"end\",\"steps\":200,\"why\":\"steps\"}}"
}}' >&3
)",
                                              folder_.path().string()));
    fs::permissions(program / "start", fs::perms::owner_all);
    write_text(folder_ / "s.yaml",
               "matrix: {workload: x, framework: reader, size: tiny}\n"
               "measure: {rule: fixed, steps: 200, skip: 10}\nrounds: 2\n");
  }

  Outcome run(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", (folder_ / "s.yaml").string(), "--out",
                                      (folder_ / "results").string()};
    words.insert(words.end(), more.begin(), more.end());
    return trainmark(words, home_);
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> home_;
};

TEST_F(DataSets, AreMeasuredInThreeWaysAndTellWhatTheInputCosts) {
  const Outcome outcome = run({"--data", (folder_ / "flowers").string()});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("What the input costs"), std::string::npos) << outcome.output;
  const JournalContents contents = read_journal(folder_ / "results");
  const std::vector<Result> results = results_of(contents);
  ASSERT_EQ(results.size(), 3U) << outcome.errors;
  const auto both = std::find_if(results.begin(), results.end(), [](const Result& result) {
    return result.cell.data == "flowers" && result.cell.input.empty();
  });
  ASSERT_NE(both, results.end());
  ASSERT_TRUE(both->input_cost);
  EXPECT_NEAR(both->input_cost->share, 0.2, 1e-3) << "40 of 50 images/s";
  EXPECT_NEAR(both->input_wait.value(), 0.16, 1e-6);
  EXPECT_NEAR(both->input_cost->pipeline.value(), 100, 0.1);
  EXPECT_NEAR(both->input_cost->cores.value(), 1, 1e-2) << "half of what two workers do";
  const std::string asked = read_file(folder_ / "asked", 1 << 20);
  EXPECT_NE(asked.find(fmt::format("--data {} --input-only", (folder_ / "flowers").string())),
            std::string::npos)
      << asked;
}

TEST_F(DataSets, ThatAreNotThereAreRefusedBeforeAnythingIsMeasured) {
  const Outcome outcome = run({"--data", (folder_ / "weeds").string()});
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_NE(outcome.errors.find("weeds was not found"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

}  // namespace
}  // namespace trainmark::e2e
