#include "input/feed.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "base/error.h"
#include "data/pipeline/pipeline.h"
#include "engine/describe.h"
#include "input/images.h"
#include "input/settings.h"
#include "temporary_folder.h"
#include "trainers/models/support.h"
#include "trainers/support/data_sets.h"

namespace trainmark::train {
namespace {

namespace kind = data::kind;

struct Trained {
  std::string workload;
  std::string format;
  std::string kind;
  std::int64_t batch = 4;

  friend void PrintTo(const Trained& it, std::ostream* out) { *out << it.workload; }
};

Options options_on(const std::filesystem::path& path, const std::string& workload,
                   std::int64_t batch) {
  Options options = options_for(workload, "tiny", batch);
  options.dropout = 0;
  options.data.path = path;
  options.data.workers = 2;
  options.data.skip_bad = false;
  return options;
}

FeedSetup setup_of(const Options& options) {
  return {.options = options, .contract = contract_for(options)};
}

/// A workload on its way through a data set.
struct Training {
  explicit Training(const Options& options)
      : workload(make(options)),
        feed([&] {
          FeedSetup setup = setup_of(options);
          setup.complete = [this](Batch inputs) { return workload->complete(std::move(inputs)); };
          return make_feed(setup);
        }()),
        trainer(*workload, options, nullptr, feed.get()) {}

  float step() {
    feed->wait();
    feed->fill();
    return trainer.step().item<float>();
  }

  std::vector<float> steps(int count) {
    std::vector<float> losses;
    for (int i = 0; i < count; ++i) losses.push_back(step());
    return losses;
  }

  std::unique_ptr<Workload> workload;
  std::unique_ptr<Feed> feed;
  Trainer trainer;
};

class TrainingOnData : public testing::TestWithParam<Trained> {
 protected:
  void SetUp() override {
    test::make_data_set(folder_ / "set", GetParam().format, GetParam().kind, 24);
  }

  Options options() const {
    return options_on(folder_ / "set", GetParam().workload, GetParam().batch);
  }

  TemporaryFolder folder_;
};

TEST_P(TrainingOnData, HasAnotherBatchInEveryStep) {
  Training training(options());
  const std::vector<float> losses = training.steps(4);
  for (std::size_t i = 0; i < losses.size(); ++i) {
    EXPECT_TRUE(std::isfinite(losses[i])) << i;
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(losses[i], losses[j]) << i << ' ' << j;
  }
}

TEST_P(TrainingOnData, RepeatsItselfWithAnyNumberOfWorkers) {
  Options other = options();
  other.data.workers = 1;
  EXPECT_EQ(Training(options()).steps(3), Training(other).steps(3));
}

TEST_P(TrainingOnData, GoesOnWhereItStopped) {
  Training whole(options());
  whole.steps(2);
  const nlohmann::json end = whole.feed->end();
  whole.feed->wait();
  whole.feed->fill();
  Options later = options();
  later.data.batch = 2;
  EXPECT_EQ(end.at("position"), "0:2");
  EXPECT_EQ(end.at("skipped"), 0);
  Training resumed(later);
  resumed.feed->wait();
  resumed.feed->fill();
  for (const auto& [name, tensor] : whole.feed->batches().at(0)) {
    EXPECT_TRUE(at::equal(resumed.feed->batches().at(0)[name], tensor)) << name;
  }
}

TEST_P(TrainingOnData, TakesABatchForEachAccumulatedPass) {
  Options accumulated = options();
  accumulated.accumulate = 2;
  Training both(accumulated);
  both.feed->wait();
  both.feed->fill();
  Training single(options());
  std::int64_t items = 0;
  for (std::size_t pass = 0; pass < 2; ++pass) {
    single.feed->wait();
    single.feed->fill();
    items += single.feed->items();
    for (const auto& [name, tensor] : single.feed->batches().at(0)) {
      EXPECT_TRUE(at::equal(both.feed->batches().at(pass)[name], tensor)) << pass << name;
    }
  }
  EXPECT_EQ(both.feed->items(), items);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TrainingOnData,
    testing::Values(Trained{"resnet50", "imagefolder", kind::labelled_images},
                    Trained{"se_resnext50", "imagefolder", kind::labelled_images},
                    Trained{"arcface", "imagefolder", kind::labelled_images},
                    Trained{"deeplabv3p", "cityscapes", kind::labelled_pixels},
                    Trained{"cyclegan", "cyclegan", kind::image_pairs},
                    Trained{"bert", "bert-hdf5", kind::masked_sentences},
                    Trained{"transformer", "token-lines", kind::sentence_pairs, 32}),
    [](const auto& test) { return test.param.workload; });

TEST(Feed, HasTheTensorsOfThePipeline) {
  const TemporaryFolder folder;
  test::make_data_set(folder / "set", "imagefolder", kind::labelled_images, 24);
  const Options options = options_on(folder / "set", "resnet50", 4);
  const std::unique_ptr<Feed> feed = make_feed(setup_of(options));
  data::Pipeline pipeline(data::open_data_set(folder / "set"),
                          pipeline_settings(setup_of(options)));
  for (int step = 0; step < 8; ++step) {  // over the end of the epoch
    feed->wait();
    feed->fill();
    const data::HostBatch& expected = pipeline.next();
    const Batch& batch = feed->batches().at(0);
    const at::Tensor images = batch["images"];
    EXPECT_EQ(images.sizes(), at::IntArrayRef({4, 3, 64, 64}));
    EXPECT_TRUE(images.is_contiguous(at::MemoryFormat::ChannelsLast));
    const at::Tensor pixels = images.permute({0, 2, 3, 1});
    EXPECT_TRUE(at::equal(pixels.flatten(), torch::tensor(expected.images)));
    EXPECT_TRUE(at::equal(batch["labels"], torch::tensor(expected.labels)));
    EXPECT_EQ(feed->items(), 4);
  }
}

TEST(Feed, NormalizesEightBitsAsTheWorkersDo) {
  const TemporaryFolder folder;
  test::make_data_set(folder / "set", "imagefolder", kind::labelled_images, 8);
  data::PipelineSettings settings =
      pipeline_settings(setup_of(options_on(folder / "set", "resnet50", 4)));
  data::Pipeline floats(data::open_data_set(folder / "set"), settings);
  settings.floats = false;
  data::Pipeline bytes(data::open_data_set(folder / "set"), settings);
  const Images images(settings.normalization, at::kFloat, at::kCPU);
  const auto shape = {4L, 64L, 64L, 3L};
  const at::Tensor made =
      images.make(torch::tensor(bytes.next().image_bytes, at::kByte).view(shape));
  const at::Tensor expected = torch::tensor(floats.next().images).view(shape).permute({0, 3, 1, 2});
  EXPECT_TRUE(at::allclose(made, expected, 1e-5, 1e-5));
  EXPECT_TRUE(made.is_contiguous(at::MemoryFormat::ChannelsLast));
}

TEST(Feed, GivesEachRankItsOwnSamples) {
  const TemporaryFolder folder;
  test::make_data_set(folder / "set", "imagefolder", kind::labelled_images, 24);
  std::vector<at::Tensor> images;
  for (int rank = 0; rank < 2; ++rank) {
    FeedSetup setup = setup_of(options_on(folder / "set", "resnet50", 4));
    setup.rank = rank;
    setup.ranks = 2;
    const std::unique_ptr<Feed> feed = make_feed(setup);
    for (int step = 0; step < 3; ++step) {
      feed->wait();
      feed->fill();
      for (std::int64_t i = 0; i < 4; ++i) {
        images.push_back(feed->batches().at(0)["images"][i].clone());
      }
    }
    EXPECT_EQ(feed->end().at("position"), "1:0");
  }
  ASSERT_EQ(images.size(), 24U);
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(at::equal(images[i], images[j])) << i << j;
  }
}

TEST(Feed, SkipsOrRefusesWhatCannotBeRead) {
  const TemporaryFolder folder;
  test::make_data_set(folder / "set", "imagefolder", kind::labelled_images, 8);
  const auto broken = folder.path() / "set" / "class_2" / "0000001.jpg";
  ASSERT_TRUE(std::filesystem::exists(broken));
  std::filesystem::resize_file(broken, 200);
  Options options = options_on(folder / "set", "resnet50", 8);
  const std::unique_ptr<Feed> refusing = make_feed(setup_of(options));
  EXPECT_THROW(refusing->wait(), UserError);
  options.data.skip_bad = true;
  const std::unique_ptr<Feed> skipping = make_feed(setup_of(options));
  skipping->wait();
  skipping->fill();
  const nlohmann::json end = skipping->end();
  EXPECT_EQ(end.at("skipped"), 1);
  EXPECT_NE(end.at("skipped_names").at(0).get<std::string>().find("class_2/0000001.jpg"),
            std::string::npos);
}

TEST(Feed, RefusesADataSetOfAnotherKind) {
  const TemporaryFolder folder;
  test::make_data_set(folder / "set", "imagefolder", kind::labelled_images, 8);
  EXPECT_THROW(make_feed(setup_of(options_on(folder / "set", "bert", 4))), UserError);
}

TEST(Feed, IsOfferedInEveryFormatOfTheKind) {
  for (const WorkloadDescription& workload : describe().workloads) {
    const auto has = [&](const char* format) {
      return std::ranges::find(workload.data, format) != workload.data.end();
    };
    EXPECT_EQ(has("imagefolder"), find_contract(workload.name).data == kind::labelled_images);
    EXPECT_EQ(has("token-lines"), workload.name == "transformer");
    EXPECT_FALSE(workload.data.empty()) << workload.name;
  }
}

TEST(Feed, CountsTheTokensOfTranslationsWithoutPadding) {
  const TemporaryFolder folder;
  test::make_data_set(folder / "set", "token-lines", kind::sentence_pairs, 24);
  Training training(options_on(folder / "set", "transformer", 32));
  for (int step = 0; step < 4; ++step) {
    training.step();
    const at::Tensor labels = training.feed->batches().at(0)["target_out"];
    EXPECT_EQ(training.feed->items(), labels.ge(0).sum().item<std::int64_t>());
    EXPECT_LE(training.feed->items(), 32);
  }
}

}  // namespace
}  // namespace trainmark::train
