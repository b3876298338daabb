#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/making/check.h"
#include "data/making/describe.h"
#include "data/making/grammar.h"
#include "data/making/manifest.h"
#include "data/making/small_set.h"
#include "data/pipeline/pipeline.h"
#include "temporary_folder.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> made_formats() {
  std::vector<std::string> names;
  for (const auto& [name, format] : Registry<Format>::all())
    if (format.make_writer) names.push_back(name);
  return names;
}

/// What the items of a set hold.
std::multiset<std::string> held(const DataSet& set) {
  std::multiset<std::string> items;
  Item item;
  for (std::int64_t i = 0; i < set.size(); ++i) {
    set.read(i, item);
    std::string text(item.picture.begin(), item.picture.end());
    for (const std::int32_t token : item.tokens) text += " " + std::to_string(token);
    items.insert(text + " " + std::to_string(item.label));
  }
  return items;
}

CheckedDataSet check_all(const fs::path& path) {
  return check_data_set(path, 2, [](auto...) {});
}

class EvaluationItems : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

TEST_F(EvaluationItems, AreASplitOfTheirOwnInEveryFormat) {
  for (const std::string& format : made_formats()) {
    SCOPED_TRACE(format);
    const fs::path path = folder_ / format;
    MakeSettings settings = small_set(format, path);
    settings.evaluation_items = 5;
    const MadeDataSet made = make_quietly(settings);
    const auto training = open_data_set(path);
    const auto evaluation = open_evaluation_set(*training, path, "");
    EXPECT_EQ(training->size(), 12);
    EXPECT_EQ(evaluation->size(), 5);
    EXPECT_EQ(made.evaluation_items, evaluation->size() + evaluation->other_size());
    EXPECT_EQ(evaluation->other_size(), training->other_size() == 0 ? 0 : 5);
    EXPECT_EQ(evaluation->classes(), training->classes());
    const auto trained_on = held(*training);
    for (const std::string& item : held(*evaluation)) EXPECT_EQ(trained_on.count(item), 0U);

    const CheckedDataSet checked = check_all(path);
    EXPECT_TRUE(checked.is_sound());
    EXPECT_EQ(checked.items, 12);
    EXPECT_EQ(checked.evaluation_items, 5);
    EXPECT_EQ(describe_data_set(*training, path).evaluation_items, 5);
  }
}

TEST_F(EvaluationItems, DependNeitherOnTheOthersNorThemOnThese) {
  for (const std::string& format : made_formats()) {
    SCOPED_TRACE(format);
    const auto make = [&](const std::string& name, std::int64_t items, std::int64_t evaluation) {
      MakeSettings settings = small_set(format, folder_ / name, items);
      settings.evaluation_items = evaluation;
      make_quietly(settings);
      return folder_ / name;
    };
    const fs::path some = make(format + "-some", 12, 5);
    const fs::path more = make(format + "-more", 15, 5);
    const fs::path none = make(format + "-none", 12, 0);
    EXPECT_EQ(held(*open_data_set(some, Split::evaluation)),
              held(*open_data_set(more, Split::evaluation)));
    EXPECT_EQ(held(*open_data_set(some)), held(*open_data_set(none)));
    EXPECT_EQ(read_manifest(none)->evaluation_sums.size(), 0U);
  }
}

TEST_F(EvaluationItems, AreCheckedAgainstTheManifest) {
  MakeSettings settings = small_set("token-lines", folder_ / "set");
  settings.evaluation_items = 5;
  make_quietly(settings);
  const fs::path file = folder_ / "set/val/val-00000.tsv";
  std::string content = read_file(file, SIZE_MAX);
  content[0] = content[0] == '9' ? '8' : '9';
  write_file_atomically(file, content);
  const CheckedDataSet checked = check_all(folder_ / "set");
  EXPECT_FALSE(checked.is_sound());
  ASSERT_EQ(checked.changed.count, 1);
  EXPECT_EQ(checked.changed.first[0].name, "val-00000.tsv:1");
  fs::remove_all(folder_ / "set/val");
  EXPECT_EQ(check_all(folder_ / "set").missing.count, 5) << "the split is gone";
}

TEST_F(EvaluationItems, OfPicturesAreAtLeastOnePerClass) {
  MakeSettings settings = small_set("imagefolder", folder_ / "set");
  settings.evaluation_items = 2;
  EXPECT_EQ(user_error_of([&] { make_quietly(settings); }),
            "--evaluation-items 2: each of 3 classes needs an item; write 3 items or more, or "
            "fewer --classes");
}

class Tasks : public testing::Test {
 protected:
  MakeSettings task(const std::string& format, const std::string& subject) const {
    MakeSettings settings = small_set(format, folder_ / format, 20);
    settings.subject = subject;
    settings.evaluation_items = 300;
    settings.items.numbers = {{"vocabulary", 100}, {"tokens", 16}};
    return settings;
  }

  const TemporaryFolder folder_;
};

TEST_F(Tasks, TellWhatIsAttainable) {
  MakeSettings settings = task("bert-hdf5", "grammar");
  settings.items.numbers["masked"] = 4;
  const auto made = make_quietly(settings).attainable;
  ASSERT_TRUE(made);
  EXPECT_EQ(made->metric, "masked-language-model accuracy");
  EXPECT_GT(made->quality, 0.6);
  EXPECT_LT(made->quality, 0.95);
  const fs::path path = folder_ / "bert-hdf5";
  EXPECT_EQ(read_manifest(path)->attainable->quality, made->quality);
  EXPECT_EQ(check_all(path).attainable->quality, made->quality);
  EXPECT_EQ(describe_data_set(*open_data_set(path), path).attainable->metric, made->metric);

  // The fewer are masked, the more tells of them.
  settings.items.numbers["masked"] = 12;
  settings.out = folder_ / "more";
  EXPECT_LT(make_quietly(settings).attainable->quality, made->quality - 0.1);
}

TEST_F(Tasks, OfStreamsAreMaskedAsThePipelineMasks) {
  MakeSettings settings = task("token-bin", "grammar");
  settings.items.numbers["masked"] = 4;
  settings.items.numbers["vocabulary"] = 98;
  const auto made = make_quietly(settings);
  const auto set = open_data_set(folder_ / "token-bin", Split::evaluation);
  ASSERT_EQ(set->size(), 300);
  // Nothing of the vocabulary but words, and never the mask.
  Item item;
  for (std::int64_t i = 0; i < set->size(); ++i) {
    set->read(i, item);
    EXPECT_EQ(item.tokens.size(), 512U);
    const auto [least, most] = std::ranges::minmax(item.tokens);
    EXPECT_GE(least, 4);
    EXPECT_LT(most, 97);
  }
  const double shorter = made.attainable->quality;
  settings.items.numbers = {{"vocabulary", 98}, {"tokens", 64}, {"masked", 16}};
  settings.out = folder_ / "longer";
  EXPECT_GT(make_quietly(settings).attainable->quality, shorter) << "fewer words are at an end";
}

TEST_F(Tasks, OfPairsFollowFromTheirSources) {
  MakeSettings settings = task("token-lines", "translation");
  settings.items.items = 4000;
  settings.items.numbers["tokens"] = 8;
  const auto made = make_quietly(settings).attainable;
  ASSERT_TRUE(made);
  EXPECT_EQ(made->metric, "token accuracy");
  EXPECT_NEAR(made->quality, 1 - 1.0 / Grammar::misprints, 1e-3);
  const auto set = open_data_set(folder_ / "token-lines");
  // The verb is the last but one; it follows from that of the source and from what is behind that.
  // Whoever learned by heart what it becomes is right as often as is said.
  std::set<std::int32_t> determiners;
  std::map<std::pair<std::int32_t, std::int32_t>, std::map<std::int32_t, int>> verbs;
  Item item;
  for (std::int64_t i = 0; i < set->size(); ++i) {
    set->read(i, item);
    EXPECT_LE(item.tokens.size(), 8U);
    ASSERT_EQ(item.target.size(), item.tokens.size());
    determiners.insert(item.tokens[0]);
    const auto behind = std::find_if(item.tokens.rbegin(), item.tokens.rend(),
                                     [&](auto token) { return determiners.contains(token); });
    ++verbs[{*(behind + 1), *behind}][*(item.target.rbegin() + 1)];
  }
  EXPECT_EQ(determiners.size(), 2U);
  int right = 0;
  for (const auto& [source, targets] : verbs) {
    const auto count = [](const auto& each) { return each.second; };
    right += std::ranges::max_element(targets, {}, count)->second;
  }
  EXPECT_NEAR(right / 4000.0, made->quality, 0.02);
}

TEST_F(Tasks, FitTheirFormat) {
  MakeSettings settings = task("token-lines", "grammar");
  EXPECT_EQ(user_error_of([&] { make_quietly(settings); }),
            "the format token-lines holds sentence-pairs, not grammar; write --format bert-hdf5 or "
            "token-bin");
  settings = task("bert-hdf5", "grammar");
  settings.items.numbers["masked"] = 14;
  EXPECT_EQ(user_error_of([&] { make_quietly(settings); }),
            "--masked 14 of 13 words cannot be masked; write 13 or fewer");
  settings = task("token-bin", "grammar");
  settings.items.numbers["tokens"] = 513;
  EXPECT_EQ(user_error_of([&] { make_quietly(settings); }),
            "--tokens 513: items of token-bin are windows of 512 tokens; write 512 or fewer");
}

}  // namespace
}  // namespace trainmark::data
