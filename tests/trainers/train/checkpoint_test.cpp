// trainmark-train --checkpoint: whoever is killed goes on as if nothing had happened.

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>

#include "base/generator.h"
#include "trainers/support/quality_training.h"
#include "trainers/support/ranks.h"

namespace trainmark::test {
namespace {

namespace fs = std::filesystem;

class EveryKind : public testing::TestWithParam<QualityCase> {};

INSTANTIATE_TEST_SUITE_P(
    Checkpoint, EveryKind,
    testing::Values(QualityCase{"resnet50", "imagefolder", data::kind::labelled_images},
                    QualityCase{"deeplabv3p", "cityscapes", data::kind::labelled_pixels},
                    QualityCase{"cyclegan", "cyclegan", data::kind::image_pairs, 2},
                    QualityCase{"bert", "bert-hdf5", data::kind::masked_sentences},
                    QualityCase{"transformer", "token-lines", data::kind::sentence_pairs, 32},
                    QualityCase{"arcface", "imagefolder", data::kind::labelled_images}),
    [](const auto& given) { return given.param.workload; });

TEST_P(EveryKind, GoesOnBitByBit) {
  const QualityTraining training(GetParam());
  const Words course = {"--epochs", "3", "--evaluate-every", "0.5", "--steps", "7"};
  Program whole(training.words(course));
  ASSERT_EQ(whole.finish(), 0) << whole.err();
  const Curve expected = curve_of(whole);
  ASSERT_EQ(expected.losses.size(), 7U);

  Words in_parts = training.words(
      {"--epochs", "3", "--evaluate-every", "0.5", "--checkpoint", training.path("saved")});
  Curve curve;
  for (const char* steps : {"3", "4"}) {
    Words words = in_parts;
    words.insert(words.end(), {"--steps", steps});
    Program part(words);
    ASSERT_EQ(part.finish(), 0) << part.err();
    add_to(curve, part);
  }
  EXPECT_EQ(curve.losses, expected.losses);
  // The first part was evaluated after its last step, too.
  for (const auto& [step, evaluation] : expected.evaluations) {
    EXPECT_EQ(curve.evaluations[step], evaluation) << "step " << step;
  }
}

Words course_of_thirty(const Words& more = {}) {
  Words words = on_pictures().words({"--epochs", "5", "--evaluate-every", "0.5"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Checkpoint, SurvivesBeingKilledAtAnyMoment) {
  Program whole(course_of_thirty());
  ASSERT_EQ(whole.finish(), 0) << whole.err();
  const Curve expected = curve_of(whole);
  ASSERT_EQ(expected.losses.size(), 30U);
  ASSERT_EQ(expected.evaluations.size(), 10U);

  const TemporaryFolder folder;
  const Words words = course_of_thirty({"--checkpoint", folder / "saved"});
  const auto seed = static_cast<std::uint64_t>(getpid());
  const Generator chances(seed, "kills");
  SCOPED_TRACE("seed " + std::to_string(seed));
  Curve curve;
  for (std::uint64_t kill = 0; kill < 10; ++kill) {
    Program program(words);
    // Some events, and some microseconds: in a step, an evaluation or a checkpoint.
    for (std::int64_t left = chances.integer(2 * kill, 9); left > 0 && program.next_event(); --left)
      ;
    usleep(static_cast<useconds_t>(chances.integer(2 * kill + 1, 20'000)));
    program.signal(SIGKILL);
    program.finish();
    add_to(curve, program);
  }
  Program last(words);
  ASSERT_EQ(last.finish(), 0) << last.err();
  add_to(curve, last);
  EXPECT_EQ(curve, expected);
  for (const auto& entry : fs::directory_iterator(folder / "saved")) {
    EXPECT_EQ(entry.path().filename(), "checkpoint.safetensors");
  }
}

/// What happens to the file of this name in a folder, as the kernel tells it.
std::vector<std::uint32_t> happened_to(int watch, const std::string& name) {
  std::vector<std::uint32_t> masks;
  alignas(inotify_event) std::array<char, 1 << 16> bytes{};
  ssize_t got = 0;
  while ((got = read(watch, bytes.data(), bytes.size())) > 0) {
    for (ssize_t at = 0; at < got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
      if (event->len > 0 && name == event->name) masks.push_back(event->mask);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  }
  return masks;
}

TEST(Checkpoint, IsNeverThereByHalves) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "saved");
  const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(watch, (folder / "saved").c_str(),
                              IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM),
            0);
  Program program(course_of_thirty({"--checkpoint", folder / "saved"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  ASSERT_EQ(program.events("checkpoint").size(), 10U);
  // It takes its name when it is whole, in the place of the one before.
  EXPECT_EQ(happened_to(watch, "checkpoint.safetensors"),
            std::vector<std::uint32_t>(10, IN_MOVED_TO));
  close(watch);
}

TEST(Checkpoint, IsToldOf) {
  const TemporaryFolder folder;
  Program program(on_pictures().words({"--epochs", "1", "--evaluate-every", "1", "--checkpoint",
                                       folder / "saved", "--checkpoint-every", "0.5"}));
  ASSERT_EQ(program.finish(), 0) << program.err();
  const std::vector<nlohmann::json> told = program.events("checkpoint");
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].at("step"), 3);
  EXPECT_EQ(told[1].at("step"), 6);
  EXPECT_EQ(told[1].at("bytes"), fs::file_size(folder / "saved" / "checkpoint.safetensors"));
  EXPECT_GT(told[0].at("seconds"), 0);
  EXPECT_GE(told[0].at("end").get<double>(), program.events("step").at(2).at("end").get<double>());
}

TEST(Checkpoint, OfATrainingThatIsOverLeavesNothingToDo) {
  const TemporaryFolder folder;
  const Words words = on_pictures().words(
      {"--epochs", "0.5", "--evaluate-every", "0.5", "--checkpoint", folder / "saved"});
  Program whole(words);
  ASSERT_EQ(whole.finish(), 0) << whole.err();
  Program again(words);
  ASSERT_EQ(again.finish(), 0) << again.err();
  EXPECT_TRUE(again.events("step").empty());
  EXPECT_EQ(again.events().back().at("why"), "steps");
  const nlohmann::json& resumed = again.events().front().at("quality").at("resumed");
  EXPECT_EQ(resumed.at("step"), 3);
  EXPECT_EQ(resumed.at("samples"), 12);
  EXPECT_GT(resumed.at("seconds"), 0);
  ASSERT_EQ(resumed.at("evaluations").size(), 1U);
  EXPECT_LE(resumed.at("evaluations").at(0).at("at"), resumed.at("seconds"));
}

TEST(Checkpoint, IsRefusedWhereItDoesNotFit) {
  const TemporaryFolder folder;
  const std::string saved = folder / "saved";
  const Words course = {"--epochs", "1", "--steps", "2", "--checkpoint", saved};
  Program whole(on_pictures().words(course));
  ASSERT_EQ(whole.finish(), 0) << whole.err();
  const auto refused = [&](const Words& more) {
    Words words = course;
    words.insert(words.end(), more.begin(), more.end());
    Program program(on_pictures().words(words));
    EXPECT_EQ(program.finish(), 2);
    return program.err();
  };
  const std::string file = saved + "/checkpoint.safetensors";
  EXPECT_EQ(refused({"--seed", "7"}),
            "trainmark-train: " + file +
                ": it is of a training with seed '1', and this one has '7'; use the same "
                "arguments, or another --checkpoint folder\n");
  EXPECT_NE(refused({"--batch", "8"}).find("batch '4'"), std::string::npos);
  EXPECT_NE(refused({"--learning-rate", "1"}).find("recipe"), std::string::npos);
  EXPECT_NE(refused({"--resolution", "32"}).find("shapes"), std::string::npos);

  const auto bytes = fs::file_size(file);
  fs::resize_file(file, bytes - 1);
  EXPECT_NE(refused({}).find("not a valid safetensors file"), std::string::npos);
  std::ofstream(file, std::ios::trunc) << "not a checkpoint";
  EXPECT_NE(refused({}).find(file), std::string::npos);
}

TEST(Checkpoint, NeedsAFolder) {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  std::ofstream(file) << "";
  Program program(on_pictures().words({"--checkpoint", file}));
  EXPECT_EQ(program.finish(), 2);
  EXPECT_EQ(program.err(), "trainmark-train: --checkpoint " + file +
                               ": it is not a folder; name one, or a new one\n");
}

TEST(Checkpoint, OfSeveralRanksGoesOnBitByBit) {
  const TemporaryFolder folder;
  const QualityTraining faces({"arcface", "imagefolder", data::kind::labelled_images, 2});
  const auto losses = [&](const Words& more) {
    Words words = faces.words({"--epochs", "2", "--evaluate-every", "0.5"});
    words.insert(words.end(), more.begin(), more.end());
    Ranks job(2, words);
    job.finish();
    EXPECT_EQ(job.losses(0), job.losses(1));
    return job.losses(0);
  };
  const std::vector<double> whole = losses({"--steps", "6"});
  std::vector<double> parts = losses({"--steps", "4", "--checkpoint", folder / "saved"});
  const std::vector<double> rest = losses({"--steps", "2", "--checkpoint", folder / "saved"});
  parts.insert(parts.end(), rest.begin(), rest.end());
  EXPECT_EQ(parts, whole);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "saved"))
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  EXPECT_EQ(names,
            (std::vector<std::string>{"checkpoint.rank1.6.safetensors", "checkpoint.safetensors"}));
}

}  // namespace
}  // namespace trainmark::test
