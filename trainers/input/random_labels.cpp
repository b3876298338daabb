// Labels that are wrong on purpose: whoever trains to a quality can see what that does, and that it
// is noticed.

#include "input/random_labels.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/generator.h"

namespace trainmark::train {
namespace {

/// Which items have another label, and which one, follows from their numbers: they are the same in
/// every epoch, as those of a damaged data set are.
class RandomLabels : public data::DataSet {
 public:
  RandomLabels(std::unique_ptr<data::DataSet> set, double share, std::uint64_t seed)
      : set_(std::move(set)),
        below_(static_cast<std::uint64_t>(std::ldexp(share, 32))),
        generator_(seed, "random labels") {}

  std::string format() const override { return set_->format(); }
  std::string kind() const override { return set_->kind(); }
  std::int64_t size() const override { return set_->size(); }
  std::int64_t classes() const override { return set_->classes(); }
  std::string class_name(std::int64_t label) const override { return set_->class_name(label); }

  void read(std::int64_t index, data::Item& item) const override {
    set_->read(index, item);
    const auto number = static_cast<std::uint64_t>(index);
    if (generator_.word(2 * number) < below_)
      item.label = generator_.integer(2 * number + 1, classes());
  }

 private:
  std::unique_ptr<data::DataSet> set_;
  std::uint64_t below_;  // the first number of an item must be, for its label to be random
  Generator generator_;
};

}  // namespace

std::shared_ptr<const data::DataSet> open_training_set(const FeedSetup& setup) {
  const Options& options = setup.options;
  std::unique_ptr<data::DataSet> set = data::open_data_set(options.data.path);
  const double share = options.quality.random_labels.value_or(0);
  if (share == 0) return set;
  if (set->kind() != data::kind::labelled_images)
    throw UserError(
        fmt::format("--random-labels is for labelled images, and {} are no such; leave "
                    "it out",
                    set->kind()));
  return std::make_shared<RandomLabels>(std::move(set), share, options.seed);
}

}  // namespace trainmark::train
