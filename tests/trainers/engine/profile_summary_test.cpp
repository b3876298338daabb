#include "engine/profile_summary.h"

#include <gtest/gtest.h>

namespace trainmark::train {
namespace {

TEST(ProfileSummary, KnowsKernelsByTheirNames) {
  const std::vector<std::pair<std::string, std::string>> named = {
      {"sm90_xmma_wgrad_indexed_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc", "convolutions"},
      {"void cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816dgrad_optimized_f16>",
       "convolutions"},
      {"nvjet_sm90_hsh_192x192_64x4_2x1_v_bz_coopB_bias_TNN", "matrix products"},
      {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __half>", "matrix products"},
      {"void trainmark::train::(anonymous namespace)::apply_backward<__half, (Way)1>(trainmark::"
       "train::Layout, long, int, trainmark::train::NormBackward, float const*)",
       "norms"},
      {"void trainmark::train::(anonymous namespace)::forward_kernel<__half, true>(long, int, "
       "trainmark::train::AddNormForward)",
       "norms"},
      {"void trainmark::train::(anonymous namespace)::forward_kernel<__half, 16>(trainmark::train::"
       "AttentionProblem, trainmark::train::AttentionForward)",
       "attention"},
      {"void trainmark::train::(anonymous namespace)::gate_image<__half>(trainmark::train::Layout, "
       "long, int, trainmark::train::NormGateForward)",
       "squeeze-excitation"},
      {"void trainmark::train::(anonymous "
       "namespace)::sum_forward<__half>(trainmark::train::Layout, "
       "long, int, trainmark::train::Vector<__half> const*, float*)",
       "norms"},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16_knob_26", "attention"},
      {"void trainmark::train::(anonymous namespace)::update_kernel<__half, true, AdamRule>",
       "optimizer"},
      {"void trainmark::train::(anonymous namespace)::backward_kernel<__half>(trainmark::train::"
       "MarginProblem, trainmark::train::MarginBackward)",
       "losses"},
      {"void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::Half>>",
       "elementwise"},
      {"Memset (Unknown)", "copies and fills"},
      {"ncclDevKernel_AllReduce_Sum_f16_RING_LL", "communication"},
      {"aten::mkldnn_convolution", "convolutions"},
      {"aten::addmm", "matrix products"},
      {"something nobody knows", "other"}};
  for (const auto& [name, kind] : named) EXPECT_EQ(kind_of_work(name), kind) << name;
}

TEST(ProfileSummary, AddsUpByKindAndComparesWithWhatTheDeviceCanDo) {
  // Two steps of 10 ms, with 1 ms of nothing in each; an optimizer beside the last product.
  std::vector<ProfiledWork> work;
  for (const std::int64_t begin : {0, 10'000'000}) {
    work.push_back({"nvjet_1", begin, 4'000'000});
    work.push_back({"apply_forward(NormForward)", begin + 4'000'000, 2'000'000});
    work.push_back({"nvjet_2", begin + 7'000'000, 3'000'000});
    work.push_back({"update_kernel", begin + 8'000'000, 1'000'000});
  }
  const std::string page = profile_summary(work, {.title = "made up",
                                                  .steps = 2,
                                                  .flops = 3.5e12,
                                                  .parameters = 100e6,
                                                  .adam = true,
                                                  .matrix_flops_per_second = 1e15,
                                                  .copy_bytes_per_second = 4e12});
  const auto has = [&](const std::string& text) {
    EXPECT_NE(page.find(text), std::string::npos) << text << "\nis not in\n" << page;
  };
  has("# made up\n");
  has("2 steps: 10.000 ms per step from the first kernel to the last, 9.000 with a kernel under "
      "way; 10.000 ms and 4 kernels in all.");
  has("| matrix products | 2 | 7.000 | 70.0 % |  |  |  |");
  has("| norms | 1 | 2.000 | 20.0 % |  |  |  |");
  has("| optimizer | 1 | 1.000 | 10.0 % | 2.80 GB | 0.700 | 1.4 |");
  has("| convolutions and matrix products | 2 | 7.000 | 70.0 % | 3.50 TFLOP | 3.500 | 2.0 |");
  has("| nvjet_1 | 1 | 4.000 | 4000.0 |");
  EXPECT_LT(page.find("| matrix products"), page.find("| norms")) << "the largest comes first";
}

TEST(ProfileSummary, SaysNothingOfFloorsThatNobodyKnows) {
  const std::string page =
      profile_summary({{"update_kernel", 0, 1000}}, {.title = "made up", .flops = 1e9});
  EXPECT_NE(page.find("| optimizer | 1 | 0.001 | 100.0 % |  |  |  |"), std::string::npos) << page;
  EXPECT_EQ(page.find("convolutions and matrix products"), std::string::npos) << page;
}

TEST(ProfileSummary, CountsAnOperatorWithoutThoseItCalls) {
  const std::vector<ProfiledWork> work = without_callees({{{"inner", 20, 30}, 1},
                                                          {{"outer", 10, 100}, 1},
                                                          {{"second inner", 60, 50}, 1},
                                                          {{"innermost", 25, 5}, 1},
                                                          {{"elsewhere", 15, 40}, 2},
                                                          {{"next", 120, 10}, 1}});
  std::map<std::string, std::int64_t> times;
  for (const ProfiledWork& piece : work) times[piece.name] = piece.duration_ns;
  const std::map<std::string, std::int64_t> expected = {{"outer", 20},     {"inner", 25},
                                                        {"innermost", 5},  {"second inner", 50},
                                                        {"elsewhere", 40}, {"next", 10}};
  EXPECT_EQ(times, expected);
}

}  // namespace
}  // namespace trainmark::train
