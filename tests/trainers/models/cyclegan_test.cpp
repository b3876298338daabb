#include "support.h"

namespace trainmark::train {
namespace {

Options cyclegan(const std::string& size, std::int64_t batch = 0) {
  return options_for("cyclegan", size, batch);
}

std::vector<at::Tensor> copies(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> result;
  for (const at::Tensor& tensor : tensors) result.push_back(tensor.detach().clone());
  return result;
}

bool all_equal(const std::vector<at::Tensor>& left, const std::vector<at::Tensor>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const at::Tensor& a, const at::Tensor& b) { return at::equal(a, b); });
}

TEST(CycleGan, HasThePublishedSize) {
  const std::unique_ptr<Workload> workload = make(cyclegan("full"));
  // Filters of 7×7, 3×3 and 4×4; the last convolutions, and a discriminator's first, have a bias.
  constexpr std::int64_t stem = 3 * 64 * 49;
  constexpr std::int64_t down1 = 64 * 128 * 9;
  constexpr std::int64_t down2 = 128 * 256 * 9;
  constexpr std::int64_t blocks = 18 * 256 * 256 * 9;
  constexpr std::int64_t generator = 2 * (stem + down1 + down2) + blocks + 3;
  constexpr std::int64_t discriminator =
      16 * (3 * 64 + 64 * 128 + 128 * 256 + 256 * 512 + 512) + 64 + 1;
  static_assert(generator == 11'372'931 && discriminator == 2'763'841);
  EXPECT_EQ(parameter_count(*workload), 2 * (generator + discriminator));
  // A convolution multiplies each weight once for each pixel: of its output, of its input where it
  // is transposed.
  constexpr std::int64_t generator_flops =
      2 * (2 * 65536 * stem + 2 * 16384 * down1 + 2 * 4096 * down2 + 4096 * blocks);
  constexpr std::int64_t discriminator_flops =
      std::int64_t{2 * 16} *
      (16384 * 3 * 64 + 4096 * 64 * 128 + 1024 * 128 * 256 + 31 * 31 * 256 * 512 + 30 * 30 * 512);
  EXPECT_EQ(forward_flops(*workload), 6 * generator_flops + (2 + 4) * discriminator_flops);
}

TEST(CycleGan, NamesItsWeightsByNetworkAndLayer) {
  expect_names(
      *make(cyclegan("tiny")),
      {"generator_ab.stem.weight", "generator_ab.down1.weight", "generator_ab.down2.weight",
       "generator_ab.block1.conv1.weight", "generator_ba.block9.conv2.weight",
       "generator_ba.up1.weight", "generator_ba.up2.weight", "generator_ba.head.weight",
       "generator_ba.head.bias", "discriminator_a.conv1.weight", "discriminator_a.conv1.bias",
       "discriminator_b.conv4.weight", "discriminator_b.conv5.bias"},
      /*all=*/2 * (1 + 2 + 18 + 2 + 2) + 2 * (5 + 2));
}

TEST(CycleGan, Learns) {
  const std::vector<float> values = losses(cyclegan("tiny"), 20);
  EXPECT_LT(values.back(), 0.95 * values.front());
}

TEST(CycleGan, GivesTheSameLossesForTheSameSeed) {
  const Options options = cyclegan("tiny");
  EXPECT_EQ(losses(options, 3), losses(options, 3));
}

TEST(CycleGan, SeesTheSameItemsHoweverTheyAreCut) {
  const std::unique_ptr<Workload> workload = make(cyclegan("tiny"));
  const Batch whole = workload->make_batch(0, 4);
  const Batch second = workload->make_batch(2, 2);
  for (const char* name : {"images_a", "images_b"}) {
    EXPECT_TRUE(at::equal(whole[name].slice(0, 2), second[name])) << name;
  }
  EXPECT_FALSE(at::equal(whole["images_a"], whole["images_b"]));
}

TEST(CycleGan, HasALossThatIsTheMeanOfItsItems) {
  const std::vector<float> together = losses(cyclegan("tiny", 2), 1);
  Options in_turns = cyclegan("tiny", 1);
  in_turns.accumulate = 2;  // each pass of the discriminators has its own generators' images
  EXPECT_NEAR(losses(in_turns, 2)[0], together[0], 1e-4 * together[0]);
}

TEST(CycleGan, WeighsThePartsOfItsLoss) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<Workload> workload = make(cyclegan("tiny"));
  // Images that are made are grey, and scores are 0.
  for (at::Tensor parameter : workload->model().parameters()) parameter.zero_();
  const Batch batch = workload->make_batch(0, 1);
  const double distances =
      batch["images_a"].abs().mean().item<double>() + batch["images_b"].abs().mean().item<double>();
  EXPECT_NEAR(workload->phases()[0].loss(batch).item<double>(), 2 + (10 + 5) * distances, 1e-4);
}

TEST(CycleGan, ChangesOnlyTheWeightsOfThePlayerWhoseTurnItIs) {
  const std::unique_ptr<Workload> workload = make(cyclegan("tiny"));
  const std::vector<Phase> phases = workload->phases();
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].parameters.size() + phases[1].parameters.size(),
            workload->model().parameters().size());
  const Batch batch = workload->make_batch(0, 1);
  for (int turn = 0; turn < 2; ++turn) {
    const Phase& player = phases[turn];
    const Phase& other = phases[1 - turn];
    for (const at::Tensor& parameter : player.parameters) parameter.set_requires_grad(true);
    for (const at::Tensor& parameter : other.parameters) parameter.set_requires_grad(false);
    const std::vector<at::Tensor> before = copies(player.parameters);
    const std::vector<at::Tensor> others_before = copies(other.parameters);
    const std::unique_ptr<Optimizer> optimizer =
        make_optimizer(player.optimizer, player.parameters);
    player.loss(batch).backward();
    optimizer->step();
    optimizer->forget_gradients();
    EXPECT_FALSE(all_equal(player.parameters, before)) << turn;
    EXPECT_TRUE(all_equal(other.parameters, others_before)) << turn;
    for (const at::Tensor& parameter : other.parameters) EXPECT_FALSE(parameter.grad().defined());
  }
}

TEST(CycleGan, ShowsTheDiscriminatorsTheImagesMadeBeforeTheGeneratorsLearned) {
  const at::NoGradGuard no_grad;
  const std::unique_ptr<Workload> workload = make(cyclegan("tiny"));
  const std::vector<Phase> phases = workload->phases();
  const Batch batch = workload->make_batch(0, 1);
  const auto discriminators_loss = [&](bool generators_change) {
    phases[0].loss(batch);
    if (generators_change) {
      for (at::Tensor parameter : phases[0].parameters) parameter.mul_(0.5);
    }
    return phases[1].loss(batch).item<float>();
  };
  const float unchanged = discriminators_loss(false);
  EXPECT_EQ(discriminators_loss(true), unchanged);
  EXPECT_NE(discriminators_loss(false), unchanged);
}

TEST(CycleGan, TrainsInBfloat16) {
  expect_bfloat16_trains(cyclegan("tiny"));
}

}  // namespace
}  // namespace trainmark::train
