// `trainmark verify` with trainers whose losses are known: what it is told reaches them and the
// proof. The real trainers are compared in tests/frameworks.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <sstream>

#include "base/files.h"
#include "e2e/support/program.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

/// A file of one tensor, which serves as weights, gradients and trained weights.
void write_tensor(const fs::path& path) {
  const std::string header = R"({"a.weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::uint64_t size = header.size();
  const float numbers[2] = {1, 2};
  std::string content(sizeof size, '\0');
  std::memcpy(content.data(), &size, sizeof size);
  content += header + std::string(sizeof numbers, '\0');
  std::memcpy(content.data() + content.size() - sizeof numbers, numbers, sizeof numbers);
  write_text(path, content);
}

class Verify : public testing::Test {
 protected:
  Verify() : home_(empty_home(folder_ / "home")) {
    write_tensor(folder_ / "tensors");
    add_framework("right", 2.0);
    add_framework("close", 2.01);  // half a percent off, in the last loss
  }

  /// Its last loss is this one.
  void add_framework(const std::string& name, double loss) {
    const fs::path program_folder = folder_ / "home" / "frameworks" / name;
    fs::create_directories(program_folder);
    write_text(program_folder / "framework.yaml",
               "title: " + name + "\nprogram: [./start]\nsetup: none\n");
    write_text(program_folder / "start", fmt::format(R"(#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{{"protocol":1,"versions":{{}},"devices":[{{"name":"cpu"}}],"workloads":[{{"name":"x",'\
'"unit":"items","modes":["eager"],"sizes":[{{"name":"tiny","batch":1,"shapes":{{"sequence":16}}}}],'\
'"precisions":{{"cpu":["fp32"]}}}}]}}'
  exit 0
fi
echo "{0} $* waiting: $OMP_WAIT_POLICY" >> {1}/asked
while [ $# -gt 0 ]; do
  case "$1" in --save-weights|--save-gradients|--save-trained) cp {1}/tensors "$2" ;; esac
  shift
done
{{
  echo '{{"event":"start","batch":1}}'
  echo '{{"event":"step","step":0,"end":1,"seconds":1,"items":1,"loss":3}}'
  echo '{{"event":"step","step":1,"end":2,"seconds":1,"items":1,"loss":{2}}}'
  echo '{{"event":"end","steps":2,"why":"steps"}}'
}} >&3
)",
                                                     name, folder_.path().string(), loss));
    fs::permissions(program_folder / "start", fs::perms::owner_all);
  }

  Outcome verify(std::vector<std::string> more) {
    std::error_code error;
    fs::remove_all(folder_ / "proofs", error);
    more.insert(more.begin(), {"verify", "x", "--reference", "right:eager", "--steps", "2", "--out",
                               (folder_ / "proofs").string()});
    return trainmark(more, home_);
  }

  Proof proof() const { return read_journal(folder_ / "proofs").proofs.at(0); }

  TemporaryFolder folder_;
  std::map<std::string, std::string> home_;
};

TEST_F(Verify, PassesTheToleranceOn) {
  const Outcome strict = verify({});
  EXPECT_EQ(strict.code, 1) << strict.output << strict.errors;
  EXPECT_NE(strict.output.find("not the same"), std::string::npos) << strict.output;
  EXPECT_EQ(proof().trouble, "");
  EXPECT_DOUBLE_EQ(proof().tolerance, 1e-3);
  EXPECT_NEAR(proof().largest_difference, 0.005, 1e-9);

  const Outcome generous = verify({"--tolerance", "0.01"});
  EXPECT_EQ(generous.code, 0) << generous.output << generous.errors;
  EXPECT_DOUBLE_EQ(proof().tolerance, 0.01);
  EXPECT_TRUE(proof().same());
}

TEST_F(Verify, GivesAllTrainersTheSameSeedAndWeights) {
  verify({"--seed", "77"});
  const std::string asked = read_file(folder_ / "asked", 1 << 20);
  std::size_t trained = 0;
  for (std::size_t at = asked.find("--seed 77 "); at != std::string::npos;
       at = asked.find("--seed 77 ", at + 1))
    ++trained;
  EXPECT_EQ(trained, 3U) << "the reference, once more with one thread, and the other\n" << asked;
  EXPECT_NE(asked.find("--load-weights"), std::string::npos) << asked;
}

TEST_F(Verify, LetsThreadsSleepWhileTheyWait) {
  verify({});
  const std::string asked = read_file(folder_ / "asked", 1 << 20);
  std::istringstream trainings(asked);
  for (std::string training; std::getline(trainings, training);)
    EXPECT_TRUE(training.ends_with("waiting: passive")) << training;
  EXPECT_FALSE(asked.empty());
}

TEST_F(Verify, TakesShapesOfItsOwn) {
  verify({"--sequence", "32", "--tolerance", "0.01"});
  EXPECT_EQ(proof().cell.size_text(), "tiny,sequence=32");
  EXPECT_NE(read_file(folder_ / "asked", 1 << 20).find("--sequence 32"), std::string::npos);
  verify({"--sequence", "16", "--tolerance", "0.01"});
  EXPECT_EQ(proof().cell.size_text(), "tiny") << "the size's own shape is not named";
  const Outcome refused = verify({"--classes", "9"});
  EXPECT_EQ(refused.code, 2) << refused.output;
  EXPECT_NE(refused.errors.find("--classes: x has no such shape; it has sequence"),
            std::string::npos)
      << refused.errors;
}

}  // namespace
}  // namespace trainmark::e2e
