#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "data/pipeline/memory_set.h"
#include "data/pipeline/pipeline.h"

namespace trainmark::data {
namespace {

std::vector<std::int32_t> counted_tokens(int count, int first) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), first);
  return result;
}

PipelineSettings settings_for_sentences() {
  PipelineSettings settings;
  settings.kind = kind::masked_sentences;
  settings.tokens = 16;
  settings.masked = 4;
  settings.vocabulary = 1000;
  return settings;
}

std::shared_ptr<MemorySet> one_sentence(int count) {
  auto set = std::make_shared<MemorySet>(kind::masked_sentences);
  Item item;
  item.name = "sentence";
  item.tokens = counted_tokens(count, 200);
  set->items.push_back(item);
  return set;
}

TEST(MaskedSentencesKind, UsesThePositionsOfTheSet) {
  const auto set = one_sentence(10);
  set->items[0].positions = {2, 7};
  set->items[0].target = {50, 60};
  set->items[0].split = 6;
  set->items[0].follows = 1;
  Pipeline pipeline(set, settings_for_sentences());
  const HostBatch& batch = pipeline.next();
  using Numbers = std::vector<std::int64_t>;
  EXPECT_EQ(batch.tokens,
            (Numbers{200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(batch.segments, (Numbers{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(batch.masked_positions, (Numbers{2, 7, 0, 0}));
  EXPECT_EQ(batch.masked_labels, (Numbers{50, 60, -1, -1}));
  EXPECT_EQ(batch.next_sentence, Numbers{1});
  EXPECT_EQ(batch.lengths, std::vector<std::int32_t>{10});
  EXPECT_EQ(batch.source_tokens, 16);
}

TEST(MaskedSentencesKind, CutsLongOnes) {
  const auto set = one_sentence(20);
  set->items[0].positions = {17, 3, 4, 5, 6, 7};
  set->items[0].target = {1, 2, 3, 4, 5, 6};
  set->items[0].split = 18;
  Pipeline pipeline(set, settings_for_sentences());
  const HostBatch& batch = pipeline.next();
  EXPECT_EQ(batch.lengths[0], 16);
  EXPECT_EQ(batch.masked_positions, (std::vector<std::int64_t>{3, 4, 5, 6}));
  EXPECT_EQ(batch.masked_labels, (std::vector<std::int64_t>{2, 3, 4, 5}));
  EXPECT_EQ(batch.segments, std::vector<std::int64_t>(16, 0));
}

TEST(MaskedSentencesKind, MasksWhatTheSetLeavesToUs) {
  Pipeline pipeline(one_sentence(16), settings_for_sentences());
  std::set<std::vector<std::int64_t>> positions;
  for (int epoch = 0; epoch < 5; ++epoch) {
    const HostBatch& batch = pipeline.next();
    positions.insert(batch.masked_positions);
    for (std::size_t place = 0; place < 4; ++place)
      EXPECT_EQ(batch.masked_labels[place], 200 + batch.masked_positions[place]);
  }
  EXPECT_GT(positions.size(), 1U);
}

TEST(MaskedSentencesKind, MasksAnEvaluationSetAlwaysAlike) {
  PipelineSettings settings = settings_for_sentences();
  settings.evaluation = true;
  Pipeline pipeline(one_sentence(16), settings);
  const std::vector<std::int64_t> positions = pipeline.next().masked_positions;
  EXPECT_EQ(pipeline.next().masked_positions, positions);
  settings.seed = 7;
  EXPECT_EQ(Pipeline(one_sentence(16), settings).next().masked_positions, positions);
}

TEST(MaskedSentencesKind, RefusesWhatWouldBeTrainedWrong) {
  const auto refused = [](const auto& change) {
    const auto set = one_sentence(10);
    change(set->items[0]);
    return fault_of(set, settings_for_sentences());
  };
  EXPECT_EQ(refused([](Item&) {}), "");
  EXPECT_NE(refused([](Item& item) { item.tokens[3] = 1000; }).find("token 4 of it is 1000"),
            std::string::npos);
  EXPECT_NE(refused([](Item& item) { item.tokens[3] = -1; }).find("negative"), std::string::npos);
  EXPECT_NE(refused([](Item& item) { item.tokens.clear(); }).find("empty"), std::string::npos);
  EXPECT_NE(refused([](Item& item) { item.positions = {1}; }), "");
  EXPECT_NE(refused([](Item& item) { item.positions = {10}, item.target = {1}; }), "");
  EXPECT_NE(refused([](Item& item) { item.positions = {1}, item.target = {1000}; }), "");
  EXPECT_NE(refused([](Item& item) { item.split = 11; }), "");
  EXPECT_NE(refused([](Item& item) { item.follows = 2; }), "");
}

TEST(SentencePairsKind, PadsToTheLongestOfItsBatch) {
  auto set = std::make_shared<MemorySet>(kind::sentence_pairs);
  for (const int length : {10, 12}) {
    Item item;
    item.name = std::to_string(length);
    item.tokens = counted_tokens(length - 7, 100);
    item.target = counted_tokens(length, 200);
    set->items.push_back(item);
  }
  PipelineSettings settings;
  settings.kind = kind::sentence_pairs;
  settings.batch = 32;
  settings.tokens = 40;
  settings.vocabulary = 1000;
  Pipeline pipeline(set, settings);
  for (int epoch = 0; epoch < 3; ++epoch) {
    const HostBatch& batch = pipeline.next();
    EXPECT_EQ(batch.items, 2);
    EXPECT_EQ(batch.source_tokens, 8);
    EXPECT_EQ(batch.target_tokens, 16);
    ASSERT_EQ(batch.tokens.size(), 2U * 8);
    ASSERT_EQ(batch.target.size(), 2U * 17);
    for (std::size_t slot = 0; slot < 2; ++slot) {
      const auto length = static_cast<std::size_t>(std::stoi(batch.names[slot]));
      EXPECT_EQ(batch.lengths[slot], length - 7);
      EXPECT_EQ(batch.target_lengths[slot], length);
      for (std::size_t i = 0; i < 8; ++i)
        EXPECT_EQ(batch.tokens[slot * 8 + i], i < length - 7 ? 100 + i : 0);
      EXPECT_EQ(batch.target[slot * 17], 0);
      for (std::size_t i = 0; i < 16; ++i)
        EXPECT_EQ(batch.target[slot * 17 + 1 + i], i < length ? 200 + i : 0);
    }
  }
}

TEST(SentencePairsKind, CutsWhatIsTooLong) {
  auto set = std::make_shared<MemorySet>(kind::sentence_pairs);
  Item item;
  item.tokens = counted_tokens(30, 100);
  item.target = counted_tokens(50, 200);
  set->items.push_back(item);
  PipelineSettings settings;
  settings.kind = kind::sentence_pairs;
  settings.batch = 12;
  settings.tokens = 12;
  settings.vocabulary = 1000;
  Pipeline pipeline(set, settings);
  const HostBatch& batch = pipeline.next();
  EXPECT_EQ(batch.source_tokens, 12);
  EXPECT_EQ(batch.target_tokens, 12);
  EXPECT_EQ(batch.lengths[0], 12);
  EXPECT_EQ(batch.target.back(), 211);
}

TEST(SentencePairsKind, HasOneShapeWhereItIsAskedTo) {
  auto set = std::make_shared<MemorySet>(kind::sentence_pairs);
  for (int i = 0; i < 30; ++i) {
    Item item;
    item.name = std::to_string(i);
    item.tokens = counted_tokens(1 + i % 5, 100);
    item.target = counted_tokens(1 + i % 7, 200);
    set->items.push_back(item);
  }
  PipelineSettings settings;
  settings.kind = kind::sentence_pairs;
  settings.like_lengths = false;
  settings.batch = 72;
  settings.tokens = 12;
  settings.vocabulary = 1000;
  Pipeline pipeline(set, settings);
  EXPECT_EQ(pipeline.batches_per_epoch(), 5);
  for (int i = 0; i < 5; ++i) {
    const HostBatch& batch = pipeline.next();
    EXPECT_EQ(batch.items, 6);
    EXPECT_EQ(batch.source_tokens, 12);
    EXPECT_EQ(batch.target_tokens, 12);
    EXPECT_EQ(batch.tokens.size(), 6U * 12);
    EXPECT_EQ(batch.target.size(), 6U * 13);
  }
}

TEST(SentencePairsKind, IsTheSameWithAnyNumberOfWorkers) {
  auto set = std::make_shared<MemorySet>(kind::sentence_pairs);
  for (int i = 0; i < 500; ++i) {
    Item item;
    item.name = std::to_string(i);
    item.tokens = counted_tokens(1 + i % 37, i);
    item.target = counted_tokens(1 + i % 23, i);
    set->items.push_back(item);
  }
  set->bad = {5, 6, 99};
  PipelineSettings settings;
  settings.kind = kind::sentence_pairs;
  settings.batch = 512;
  settings.tokens = 32;
  settings.vocabulary = 1000;
  const auto collect = [&](int workers) {
    settings.workers = workers;
    Pipeline pipeline(set, settings);
    std::vector<std::vector<std::int64_t>> result;
    for (std::int64_t i = 0; i < 2 * pipeline.batches_per_epoch(); ++i) {
      const HostBatch& batch = pipeline.next();
      const auto width = static_cast<std::size_t>(batch.target_tokens) + 1;
      for (std::size_t row = 0; row < batch.target.size(); row += width)
        EXPECT_EQ(batch.target[row], 0);  // whatever was there in the batch before
      result.push_back(batch.target);
    }
    EXPECT_EQ(pipeline.counts().skipped, 6);
    return result;
  };
  const auto expected = collect(1);
  EXPECT_EQ(collect(2), expected);
  EXPECT_EQ(collect(7), expected);
}

}  // namespace
}  // namespace trainmark::data
