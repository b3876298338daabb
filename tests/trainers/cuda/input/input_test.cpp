// Batches of data sets on the GPU.

#include "input/feed.h"
#include "support.h"
#include "temporary_folder.h"
#include "trainers/models/support.h"
#include "trainers/support/data_sets.h"

namespace trainmark::train {
namespace {

class InputOnGpu : public OnGpu {
 protected:
  std::unique_ptr<Feed> feed_on(const std::string& device, const std::string& mode,
                                DecodeOn decode_on) {
    Options options = options_for("resnet50", "tiny", 4);
    options.device = device;
    options.mode = mode;
    options.data.path = folder_ / "set";
    options.data.workers = 2;
    options.data.decode_on = decode_on;
    FeedSetup setup{.options = options, .contract = contract_for(options)};
    if (device != "cpu") {
      setup.make_decoder = [this](std::string& why_not) {
        return accelerator->make_picture_decoder(why_not);
      };
    }
    return make_feed(setup);
  }

  void expect_same_batches(const std::string& mode, DecodeOn decode_on, double levels) {
    test::make_data_set(folder_ / "set", "imagefolder", data::kind::labelled_images, 24);
    const std::unique_ptr<Feed> host = feed_on("cpu", "eager", DecodeOn::cpu);
    const std::unique_ptr<Feed> device = feed_on("cuda", mode, decode_on);
    const double tolerance = levels / 255 / 0.225;
    for (int step = 0; step < 10; ++step) {
      for (Feed* const feed : {host.get(), device.get()}) {
        feed->wait();
        feed->fill();
      }
      const Batch& expected = host->batches().at(0);
      const Batch& batch = device->batches().at(0);
      EXPECT_TRUE(batch["images"].is_cuda());
      const at::Tensor distance = (batch["images"].cpu() - expected["images"]).abs();
      EXPECT_LT(distance.mean().item<double>(), tolerance) << step;
      EXPECT_TRUE(at::equal(batch["labels"].cpu(), expected["labels"])) << step;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(InputOnGpu, IsThatOfTheCpu) {
  expect_same_batches("eager", DecodeOn::cpu, 0.01);
}

TEST_F(InputOnGpu, StaysInItsTensorsWhereStepsAreRecorded) {
  expect_same_batches("graph", DecodeOn::cpu, 0.01);
  const std::unique_ptr<Feed> feed = feed_on("cuda", "graph", DecodeOn::cpu);
  feed->wait();
  feed->fill();
  const void* const place = feed->batches().at(0)["images"].const_data_ptr();
  feed->wait();
  feed->fill();
  EXPECT_EQ(feed->batches().at(0)["images"].const_data_ptr(), place);
}

TEST_F(InputOnGpu, IsDecodedThereLikeOnTheCpu) {
  std::string why_not;
  if (accelerator->make_picture_decoder(why_not) == nullptr) GTEST_SKIP() << why_not;
  expect_same_batches("eager", DecodeOn::gpu, 2);
  EXPECT_EQ(feed_on("cuda", "eager", DecodeOn::gpu)->start().at("decoder"), "nvjpeg");
}

TEST_F(InputOnGpu, IsSharedWithTheCpu) {
  std::string why_not;
  if (accelerator->make_picture_decoder(why_not) == nullptr) GTEST_SKIP() << why_not;
  expect_same_batches("graph", DecodeOn::both, 2);
  EXPECT_EQ(feed_on("cuda", "graph", DecodeOn::both)->start().at("decoder"),
            "nvjpeg for 88 %, cpu");  // two workers
}

}  // namespace
}  // namespace trainmark::train
