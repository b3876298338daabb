// A run asks the frameworks that its suite names, and no others: interpreters take seconds to
// start.

#include <gtest/gtest.h>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

class Asking : public testing::Test {
 protected:
  Asking() : home_(empty_home(folder_ / "home")) {}

  /// A clock that leaves a mark when it is asked what it offers.
  std::string clock(const std::string& name) {
    const fs::path program = folder_ / name;
    write_text(program, fmt::format("#!/bin/sh\n"
                                    "[ \"$1\" = --describe ] && touch {}\n"
                                    "exec {} \"$@\"\n",
                                    mark(name).string(), program_path() + "-clock"));
    fs::permissions(program, fs::perms::owner_all);
    return fmt::format("{}: {{program: [{}]}}", name, program.string());
  }

  fs::path mark(const std::string& name) const { return folder_ / (name + ".asked"); }
  bool was_asked(const std::string& name) const { return fs::exists(mark(name)); }

  Outcome plan(const std::string& matrix) {
    const std::string suite = folder_ / "suite.yaml";
    write_text(suite, fmt::format("matrix: {{{}}}\nframeworks: {{{}, {}}}\n", matrix, clock("one"),
                                  clock("other")));
    return trainmark({"run", suite, "--dry-run"}, home_);
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> home_;
};

TEST_F(Asking, OnlyWhatTheMatrixNames) {
  const Outcome outcome = plan("workload: clock, framework: one, size: tiny");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_TRUE(was_asked("one"));
  EXPECT_FALSE(was_asked("other"));
}

TEST_F(Asking, AllWhereTheMatrixSaysSo) {
  EXPECT_EQ(plan("workload: clock, size: tiny").code, 0);
  EXPECT_TRUE(was_asked("one"));
  EXPECT_TRUE(was_asked("other"));
}

TEST_F(Asking, AllForAMessageAboutAnUnknownName) {
  for (const char* matrix : {"workload: clcok, framework: one", "size: tinny, framework: one",
                             "workload: clock, framework: [one, othr]"}) {
    fs::remove(mark("other"));
    const Outcome outcome = plan(matrix);
    EXPECT_EQ(outcome.code, 2) << matrix;
    EXPECT_NE(outcome.errors.find("unknown"), std::string::npos) << outcome.errors;
    EXPECT_TRUE(was_asked("other")) << matrix;
  }
}

}  // namespace
}  // namespace trainmark::e2e
