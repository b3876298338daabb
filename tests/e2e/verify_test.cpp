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
void write_tensor(const fs::path& path, float first = 1, float second = 2) {
  const std::string header = R"({"a.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})";
  const std::uint64_t size = header.size();
  const float numbers[2] = {first, second};
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
    write_tensor(folder_ / "short-tensors", 0.25, 0.5);
    add_framework("right", 2.0);
    add_framework("close", 2.01);  // half a percent off, in the last loss
  }

  /// Its last loss is this one. With dropout its losses scatter around 5, so far, and its gradients
  /// are these.
  void add_framework(const std::string& name, double loss, double scatter = 1,
                     const std::string& gradients = "tensors") {
    const fs::path program_folder = folder_ / "home" / "frameworks" / name;
    fs::create_directories(program_folder);
    write_text(program_folder / "framework.yaml",
               "title: " + name + "\nprogram: [./start]\nsetup: none\n");
    write_text(program_folder / "start",
               fmt::format(R"(#!/bin/sh
if [ "$1" = --describe ]; then
  what='"unit":"items","modes":["eager"],"precisions":{{"cpu":["fp32","amp-fp16"]}},'\
'"sizes":[{{"name":"small","batch":8}},{{"name":"tiny","batch":1,"shapes":{{"sequence":16}}}}]'
  echo '{{"protocol":1,"versions":{{}},"devices":[{{"name":"cpu"}},{{"name":"cuda","missing":"no GPU"}}],'\
'"workloads":[{{"name":"x",'"$what"'}},{{"name":"dropping","dropout":0.1,'"$what"'}}]}}'
  exit 0
fi
echo "{0} $* waiting: $OMP_WAIT_POLICY" >> {1}/asked
while [ $# -gt 0 ]; do
  case "$1" in
    --save-weights|--save-trained) cp {1}/tensors "$2" ;;
    --save-gradients) if [ "$dropout" = 0 ]; then cp {1}/tensors "$2"; else cp {1}/{4} "$2"; fi ;;
    --workload) while [ -e {1}/hold-$2 ]; do sleep 0.05; done ;;
    --dropout) dropout=$2 ;;
    --steps) steps=$2 ;;
    --precision) precision=$2 ;;
  esac
  shift
done
{{
  echo '{{"event":"start","batch":1,"versions":{{"{0}":"1.0"}}}}'
  awk -v n="$steps" -v name={0} -v dropout="$dropout" -v precision="$precision" 'BEGIN {{
    srand(index("abcdefghijklmnopqrstuvwxyz", substr(name, 1, 1)))
    left_out = precision == "amp-fp16" ? 1 : 0
    for (i = 0; i < n; ++i) {{
      loss = i <= left_out ? 3 : {2}
      if (dropout > 0) loss = 5 + {3} * (rand() + rand() + rand() - 1.5)
      printf "{{\"event\":\"step\",\"step\":%d,\"end\":%d,\"seconds\":1,\"items\":1,\"loss\":%f}}\n", i, i + 1, loss
    }}
    printf "{{\"event\":\"end\",\"steps\":%d,\"why\":\"steps\"}}\n", n
  }}'
}} >&3
)",
                           name, folder_.path().string(), loss, scatter, gradients));
    fs::permissions(program_folder / "start", fs::perms::owner_all);
  }

  std::vector<std::string> words(const std::string& workload) const {
    return {"verify",  workload, "--reference", "right:eager",
            "--steps", "2",      "--out",       (folder_ / "proofs").string()};
  }

  Outcome verify(const std::vector<std::string>& more, const std::string& workload = "x") {
    std::error_code error;
    fs::remove_all(folder_ / "proofs", error);
    std::vector<std::string> all = words(workload);
    all.insert(all.end(), more.begin(), more.end());
    return trainmark(all, home_);
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

TEST_F(Verify, KeepsTheVersionsOfBoth) {
  verify({});
  const std::map<std::string, std::string> right = {{"right", "1.0"}};
  EXPECT_EQ(proof().reference_versions, right);
  EXPECT_EQ(proof().versions.count("right"), 0U);
  EXPECT_EQ(proof().versions.size(), 1U);
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

TEST_F(Verify, DoesNotCountStepsThatWereLeftOutForAnOverflow) {
  const Outcome outcome = verify({"--precision", "amp-fp16", "--tolerance", "0.01"});
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  for (const Proof& own : read_journal(folder_ / "proofs").proofs) EXPECT_EQ(own.steps, 2);
  EXPECT_NE(read_file(folder_ / "asked", 1 << 20).find("--steps 3 "), std::string::npos);
}

TEST_F(Verify, ComparesWhatIsDroppedAndHowTheRestIsScaled) {
  add_framework("frozen", 2.0, 0.001);
  add_framework("unscaled", 2.0, 1, "short-tensors");
  const Outcome outcome = verify({"--tolerance", "0.01"}, "dropping");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  const std::vector<Proof> proofs = read_journal(folder_ / "proofs").proofs;
  ASSERT_EQ(proofs.size(), 3U);
  EXPECT_TRUE(proofs[0].same()) << outcome.output;
  ASSERT_TRUE(proofs[0].dropout.has_value());
  EXPECT_EQ(proofs[0].dropout->rate, 0.75);
  EXPECT_EQ(proofs[0].dropout->steps, 12);
  EXPECT_EQ(proofs[0].dropout->gradients, 1);
  const auto expect_only = [&](const Proof& own, const std::string& beginning) {
    ASSERT_EQ(own.differs.size(), 1U) << outcome.output;
    EXPECT_TRUE(own.differs[0].starts_with(beginning)) << own.differs[0];
  };
  expect_only(proofs[1], "the scatter of the losses with dropout 0.75 by a factor of");
  expect_only(proofs[2], "the length of the gradients with dropout 0.75 by a factor of 0.25");
  const std::string asked = read_file(folder_ / "asked", 1 << 20);
  EXPECT_NE(asked.find("--accumulate 16"), std::string::npos) << asked;
  EXPECT_NE(asked.find("--steps 12 --dropout 0.75"), std::string::npos) << asked;
}

TEST_F(Verify, TakesFewerPassesWithDropoutWhereBatchesAreLarge) {
  verify({"--tolerance", "0.01", "--size", "small"}, "dropping");
  const std::string asked = read_file(folder_ / "asked", 1 << 20);
  EXPECT_NE(asked.find("--batch 8 --accumulate 2 "), std::string::npos) << asked;
}

TEST_F(Verify, LeavesDropoutOutWhereItIsNotWanted) {
  EXPECT_EQ(verify({"--tolerance", "0.01", "--dropout-steps", "0"}, "dropping").code, 0);
  EXPECT_FALSE(proof().dropout.has_value());
  verify({"--tolerance", "0.01"});
  EXPECT_FALSE(proof().dropout.has_value()) << "a workload without dropout";
  EXPECT_EQ(read_file(folder_ / "asked", 1 << 20).find("--dropout 0.75"), std::string::npos);
}

TEST_F(Verify, OthersMayVerifyOtherWorkloadsIntoTheSameFolder) {
  write_text(folder_ / "hold-x", "");
  const pid_t held = start_trainmark(words("x"), folder_.path(), home_);
  ASSERT_TRUE(comes_true([&] { return fs::exists(folder_ / "asked"); }));
  const Outcome same = trainmark(words("x"), home_);
  EXPECT_EQ(same.code, 2) << same.output;
  EXPECT_NE(same.errors.find("another trainmark is verifying x into"), std::string::npos)
      << same.errors;
  trainmark(words("dropping"), home_);
  EXPECT_EQ(read_journal(folder_ / "proofs").proofs.size(), 1U);
  fs::remove(folder_ / "hold-x");
  wait_for(held);
  const std::vector<Proof> proofs = read_journal(folder_ / "proofs").proofs;
  ASSERT_EQ(proofs.size(), 2U);
  EXPECT_EQ(proofs[0].cell.workload, "dropping");
  EXPECT_EQ(proofs[1].cell.workload, "x");
  for (const auto& entry : fs::directory_iterator(folder_ / "proofs"))
    EXPECT_NE(entry.path().extension(), ".safetensors") << entry.path();
}

TEST_F(Verify, SaysWhyADeviceCannotBeUsed) {
  const Outcome outcome = verify({"--device", "cuda"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("--device cuda: right:eager cannot use it here: no GPU"),
            std::string::npos)
      << outcome.errors;
}

}  // namespace
}  // namespace trainmark::e2e
