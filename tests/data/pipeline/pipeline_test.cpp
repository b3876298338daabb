#include "data/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <span>

#include "base/error.h"
#include "data/pipeline/memory_set.h"
#include "user_error.h"

namespace trainmark::data {
namespace {

/// What a trainer sees of a batch.
struct SeenBatch {
  Position position;
  std::vector<float> images;
  std::vector<std::int64_t> labels;
  std::vector<std::string> names;

  bool operator==(const SeenBatch&) const = default;
};

SeenBatch seen(const HostBatch& batch) {
  return {batch.position, batch.images, batch.labels, batch.names};
}

std::vector<SeenBatch> first_batches(const std::shared_ptr<const DataSet>& set,
                                     const PipelineSettings& settings, int count) {
  Pipeline pipeline(set, settings);
  std::vector<SeenBatch> result;
  for (int i = 0; i < count; ++i) result.push_back(seen(pipeline.next()));
  return result;
}

TEST(Pipeline, DeliversEveryItemOfAnEpochOnce) {
  Pipeline pipeline(small_pictures(40), settings_for_pictures(8));
  ASSERT_EQ(pipeline.batches_per_epoch(), 5);
  std::multiset<std::int64_t> labels;
  for (std::int64_t i = 0; i < 5; ++i) {
    const HostBatch& batch = pipeline.next();
    EXPECT_EQ(batch.position, (Position{0, i}));
    EXPECT_EQ(batch.items, 8);
    EXPECT_EQ(batch.images.size(), 8U * 8 * 8 * 3);
    for (std::size_t slot = 0; slot < 8; ++slot)
      EXPECT_EQ(batch.names[slot], "picture" + std::to_string(batch.labels[slot]));
    labels.insert(batch.labels.begin(), batch.labels.end());
  }
  for (std::int64_t label = 0; label < 40; ++label) EXPECT_EQ(labels.count(label), 1U);
  EXPECT_EQ(pipeline.next().position, (Position{1, 0}));
  EXPECT_EQ(pipeline.counts().items, 48);
  EXPECT_EQ(pipeline.counts().skipped, 0);
}

TEST(Pipeline, RanksDeliverDisjointItems) {
  std::multiset<std::int64_t> labels;
  for (int rank = 0; rank < 2; ++rank) {
    PipelineSettings settings = settings_for_pictures(5);
    settings.rank = rank;
    settings.ranks = 2;
    for (const SeenBatch& batch : first_batches(small_pictures(40), settings, 4))
      labels.insert(batch.labels.begin(), batch.labels.end());
  }
  for (std::int64_t label = 0; label < 40; ++label) EXPECT_EQ(labels.count(label), 1U);
}

TEST(Pipeline, MakesTheSameBatchesWithAnyNumberOfWorkers) {
  const auto set = small_pictures(50);
  set->bad = {3, 4, 20};
  PipelineSettings settings = settings_for_pictures(7);
  const auto expected = first_batches(set, settings, 20);
  for (const int workers : {2, 7}) {
    settings.workers = workers;
    settings.prefetch = workers;
    EXPECT_EQ(first_batches(set, settings, 20), expected) << workers;
  }
}

TEST(Pipeline, GoesOnWhereItStopped) {
  const auto set = small_pictures(50);
  PipelineSettings settings = settings_for_pictures(7);
  const auto expected = first_batches(set, settings, 20);
  settings.workers = 2;
  for (const std::size_t done : {1, 6, 7, 16}) {
    settings.start = expected[done].position;
    const auto rest = first_batches(set, settings, static_cast<int>(20 - done));
    EXPECT_TRUE(std::ranges::equal(rest, std::span(expected).subspan(done))) << done;
  }
}

TEST(Pipeline, EpochsAndSeedsDiffer) {
  const auto set = small_pictures(24);
  PipelineSettings settings = settings_for_pictures(24);
  const auto batches = first_batches(set, settings, 2);
  EXPECT_NE(batches[0].labels, batches[1].labels);
  settings.seed = 2;
  EXPECT_NE(first_batches(set, settings, 1)[0].labels, batches[0].labels);
}

TEST(Pipeline, KeepsTheOrderForEvaluation) {
  PipelineSettings settings = settings_for_pictures(4);
  settings.evaluation = true;
  settings.workers = 3;
  const auto batches = first_batches(small_pictures(9), settings, 3);
  EXPECT_EQ(batches[0].labels, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(batches[1].labels, (std::vector<std::int64_t>{4, 5, 6, 7}));
  EXPECT_EQ(batches[2].labels, (std::vector<std::int64_t>{8}));
  EXPECT_EQ(batches[2].images.size(), 8U * 8 * 3);
}

TEST(Pipeline, EvaluatesTheSameAgainWhateverTheSeed) {
  PipelineSettings settings = settings_for_pictures(4);
  settings.evaluation = true;
  auto batches = first_batches(small_pictures(9), settings, 6);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(batches[i + 3].position, (Position{1, static_cast<std::int64_t>(i)}));
    batches[i + 3].position.epoch = 0;
    EXPECT_EQ(batches[i + 3], batches[i]);
  }
  settings.seed = 2;
  EXPECT_EQ(first_batches(small_pictures(9), settings, 1)[0], batches[0]);
}

TEST(Pipeline, EvaluatesTheBlocksOfTheRanks) {
  PipelineSettings settings = settings_for_pictures(4);
  settings.evaluation = true;
  settings.ranks = 2;
  settings.rank = 1;
  const auto batches = first_batches(small_pictures(9), settings, 2);
  EXPECT_EQ(batches[0].labels, (std::vector<std::int64_t>{4, 5, 6, 7}));
  EXPECT_EQ(batches[1].labels, (std::vector<std::int64_t>{8}));
  settings.ranks = 3;
  settings.rank = 0;
  EXPECT_EQ(Pipeline(small_pictures(2), settings).batches_per_epoch(), 0);
}

TEST(Pipeline, EvaluatesWithoutSkipping) {
  const auto set = small_pictures(3);
  set->bad = {1};
  PipelineSettings settings = settings_for_pictures(3);
  settings.evaluation = true;
  Pipeline pipeline(set, settings);
  EXPECT_EQ(user_error_of([&] { pipeline.next(); }),
            "picture1: it is damaged; repair or remove it, for the evaluation needs every item");
}

TEST(Pipeline, ReplacesABadItemByTheNextInTheOrder) {
  const auto set = small_pictures(30);
  PipelineSettings settings = settings_for_pictures(10);
  const auto good = first_batches(set, settings, 3);
  set->bad = {good[0].labels[3], good[0].labels[9], good[1].labels[0]};
  settings.workers = 2;
  Pipeline pipeline(set, settings);
  SeenBatch first = seen(pipeline.next());
  std::vector<std::int64_t> expected = good[0].labels;
  expected[3] = good[0].labels[4];
  expected[9] = good[1].labels[1];  // the one in between is bad, too
  EXPECT_EQ(first.labels, expected);
  EXPECT_EQ(pipeline.counts().skipped, 2);
  const std::vector<std::string> names = {good[0].names[3] + ": it is damaged",
                                          good[0].names[9] + ": it is damaged"};
  EXPECT_EQ(pipeline.counts().skipped_names, names);
  pipeline.next();
  pipeline.next();
  EXPECT_EQ(pipeline.counts().skipped, 3);
}

TEST(Pipeline, NamesTheFirstTenBadItems) {
  const auto set = small_pictures(30);
  for (std::int64_t item = 0; item < 20; ++item) set->bad.insert(item);
  Pipeline pipeline(set, settings_for_pictures(30));
  for (const std::int64_t label : pipeline.next().labels) EXPECT_GE(label, 20);
  EXPECT_EQ(pipeline.counts().skipped, 20);
  EXPECT_EQ(pipeline.counts().skipped_names.size(), 10U);
}

TEST(Pipeline, RefusesABadItemWithItsName) {
  const auto set = small_pictures(20);
  PipelineSettings settings = settings_for_pictures(10);
  const auto good = first_batches(set, settings, 2);
  set->bad = {good[1].labels[7], good[1].labels[2]};
  settings.on_bad = OnBadItem::refuse;
  settings.workers = 4;
  Pipeline pipeline(set, settings);
  EXPECT_EQ(seen(pipeline.next()), good[0]);
  for (int times = 0; times < 2; ++times) {
    const std::string why = user_error_of([&] { pipeline.next(); });
    EXPECT_NE(why.find(good[1].names[2] + ": it is damaged"), std::string::npos) << why;
  }
}

TEST(Pipeline, RefusesASetOfBadItemsOnly) {
  const auto set = small_pictures(5);
  set->bad = {0, 1, 2, 3, 4};
  Pipeline pipeline(set, settings_for_pictures(2));
  const std::string why = user_error_of([&] { pipeline.next(); });
  EXPECT_NE(why.find("5 items"), std::string::npos) << why;
  EXPECT_NE(why.find("it is damaged"), std::string::npos) << why;
}

TEST(Pipeline, RefusesWhatDoesNotFitTheDataSet) {
  const auto set = small_pictures(5);
  set->class_count = 5;
  const auto refused = [&](const auto& change) {
    PipelineSettings settings = settings_for_pictures(2);
    change(settings);
    return user_error_of([&] { Pipeline(set, settings); });
  };
  EXPECT_EQ(refused([](PipelineSettings&) {}), "");
  EXPECT_NE(refused([](auto& settings) {
              settings.kind = kind::image_pairs;
            }).find("the data set holds labelled-images"),
            std::string::npos);
  EXPECT_NE(refused([](auto& settings) {
              settings.kind = "labelled-image";
            }).find("did you mean 'labelled-images'"),
            std::string::npos);
  EXPECT_NE(refused([](auto& settings) { settings.classes = 4; }).find("5 classes"),
            std::string::npos);
  EXPECT_NE(refused([](auto& settings) { settings.batch = 0; }), "");
  EXPECT_NE(refused([](auto& settings) { settings.workers = 0; }), "");
  EXPECT_NE(refused([](auto& settings) { settings.rank = 1; }), "");
  EXPECT_NE(refused([](auto& settings) { settings.width = 0; }), "");
  EXPECT_NE(refused([](auto& settings) { settings.start.batch = -1; }), "");
  set->items.clear();
  EXPECT_NE(refused([](PipelineSettings&) {}).find("is empty"), std::string::npos);
}

TEST(Pipeline, PassesOnThatADiskFails) {
  struct FailingSet : MemorySet {
    using MemorySet::MemorySet;
    void read(std::int64_t, Item&) const override { throw SystemError("the disk is gone"); }
  };
  const auto set = std::make_shared<FailingSet>(kind::labelled_images);
  set->items.resize(5);
  Pipeline pipeline(set, settings_for_pictures(2));
  EXPECT_EQ(message_of<SystemError>([&] { pipeline.next(); }), "the disk is gone");
}

TEST(Pipeline, StopsWhileItsThreadsWork) {
  const auto set = small_pictures(64);
  for (std::int64_t item = 0; item < 60; ++item) set->bad.insert(item);
  for (int taken = 0; taken < 20; ++taken) {
    PipelineSettings settings = settings_for_pictures(16);
    settings.workers = 4;
    settings.prefetch = taken % 4;
    Pipeline pipeline(set, settings);
    for (int i = 0; i < taken / 5; ++i) pipeline.next();
  }
}

/// Lets nobody go on before `wanted` threads read at once; where they do not come, it says so.
struct MeetingSet : MemorySet {
  using MemorySet::MemorySet;

  void read(std::int64_t index, Item& item) const override {
    {
      std::unique_lock lock(mutex);
      ++reading;
      all_here.notify_all();
      met = met && all_here.wait_for(lock, std::chrono::seconds(30),
                                     [this] { return reading >= wanted || !met; });
      all_here.notify_all();
    }
    MemorySet::read(index, item);
  }

  int wanted = 0;
  mutable std::mutex mutex;
  mutable std::condition_variable all_here;
  mutable int reading = 0;
  mutable bool met = true;
};

TEST(Pipeline, SpreadsTheItemsOfABatchOverItsWorkers) {
  const auto set = std::make_shared<MeetingSet>(kind::labelled_images);
  set->items = small_pictures(8)->items;
  set->wanted = 4;
  PipelineSettings settings = settings_for_pictures(4);
  settings.workers = 4;
  settings.prefetch = 0;  // a single batch: its items must be read by all
  Pipeline pipeline(set, settings);
  EXPECT_EQ(pipeline.next().items, 4);
  const std::lock_guard lock(set->mutex);
  EXPECT_TRUE(set->met);
}

TEST(Pipeline, WorksAheadAsFarAsItMayAndNoFurther) {
  struct CountingSet : MemorySet {
    using MemorySet::MemorySet;
    void read(std::int64_t index, Item& item) const override {
      ++reads;
      MemorySet::read(index, item);
    }
    mutable std::atomic<int> reads = 0;
  };
  const auto set = std::make_shared<CountingSet>(kind::labelled_images);
  set->items = small_pictures(100)->items;
  PipelineSettings settings = settings_for_pictures(5);
  settings.prefetch = 2;
  settings.workers = 2;
  Pipeline pipeline(set, settings);
  for (int taken = 1; taken <= 10; ++taken) {
    pipeline.next();
    EXPECT_LE(set->reads, (taken + 2) * 5);
  }
}

TEST(Pipeline, UsesItsMemoryAgain) {
  PipelineSettings settings = settings_for_pictures(5);
  settings.prefetch = 1;
  Pipeline pipeline(small_pictures(20), settings);
  std::set<const float*> places;
  for (int i = 0; i < 10; ++i) places.insert(pipeline.next().images.data());
  EXPECT_EQ(places.size(), 2U);
}

TEST(Pipeline, SaysThatABatchTakesTooMuchMemory) {
  PipelineSettings settings = settings_for_pictures(std::int64_t{1} << 60);
  Pipeline pipeline(small_pictures(20), settings);
  EXPECT_NE(message_of<SystemError>([&] { pipeline.next(); }).find("no memory for a batch of"),
            std::string::npos);
}

}  // namespace
}  // namespace trainmark::data
