#include "input/random_labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "temporary_folder.h"
#include "trainers/models/support.h"
#include "trainers/support/data_sets.h"
#include "user_error.h"

namespace trainmark::train {
namespace {

namespace kind = data::kind;

constexpr std::int64_t items = 200;

class RandomLabelsTest : public testing::Test {
 protected:
  RandomLabelsTest() {
    test::make_data_set(folder_ / "pictures", "imagefolder", kind::labelled_images, items);
  }

  std::shared_ptr<const data::DataSet> open(std::optional<double> share,
                                            std::uint64_t seed = 1) const {
    Options options = options_for("resnet50", "tiny", 4);
    options.seed = seed;
    options.data.path = folder_ / "pictures";
    options.quality.random_labels = share;
    return open_training_set({.options = options, .contract = contract_for(options)});
  }

  static std::vector<std::int64_t> labels_of(const data::DataSet& set) {
    std::vector<std::int64_t> labels;
    data::Item item;
    for (std::int64_t i = 0; i < set.size(); ++i) {
      set.read(i, item);
      labels.push_back(item.label);
    }
    return labels;
  }

  std::int64_t changed_by(double share) const {
    const auto right = labels_of(*open({}));
    const auto found = labels_of(*open(share));
    return std::inner_product(right.begin(), right.end(), found.begin(), std::int64_t{0},
                              std::plus<>(), std::not_equal_to<>());
  }

  TemporaryFolder folder_;
};

TEST_F(RandomLabelsTest, AreAsManyAsAskedFor) {
  EXPECT_EQ(changed_by(0), 0);
  // One in four is right by chance. Five standard deviations.
  EXPECT_NEAR(changed_by(1), items * 0.75, 31);
  EXPECT_NEAR(changed_by(0.2), items * 0.15, 26);
}

TEST_F(RandomLabelsTest, StayTheSameForOneSeedAndAreLabelsOfTheSet) {
  const auto set = open(1);
  const auto labels = labels_of(*set);
  EXPECT_EQ(labels_of(*set), labels);
  EXPECT_EQ(labels_of(*open(1)), labels);
  EXPECT_NE(labels_of(*open(1, 2)), labels);
  const auto [least, most] = std::ranges::minmax(labels);
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, set->classes() - 1);
}

TEST_F(RandomLabelsTest, LeaveThePicturesAlone) {
  const auto right = open({}), wrong = open(1);
  data::Item one, other;
  for (std::int64_t i = 0; i < items; ++i) {
    right->read(i, one);
    wrong->read(i, other);
    EXPECT_EQ(one.picture, other.picture);
    EXPECT_EQ(one.name, other.name);
  }
  EXPECT_EQ(wrong->format(), "imagefolder");
  EXPECT_EQ(wrong->class_name(2), right->class_name(2));
}

TEST_F(RandomLabelsTest, AreRefusedWhereItemsHaveNone) {
  test::make_data_set(folder_ / "pairs", "token-lines", kind::sentence_pairs, 4);
  Options options = options_for("transformer", "tiny", 8);
  options.data.path = folder_ / "pairs";
  options.quality.random_labels = 1;
  EXPECT_EQ(user_error_of([&] {
              open_training_set({.options = options, .contract = contract_for(options)});
            }),
            "--random-labels is for labelled images, and sentence-pairs are no such; leave it out");
}

}  // namespace
}  // namespace trainmark::train
