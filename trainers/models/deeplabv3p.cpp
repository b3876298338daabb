// DeepLabV3+ (Chen et al. 2018) on ResNet-50 at output stride 8: what is in each pixel of a street.
//
//   image → backbone → stage 4 → ASPP → ×2 ─┐
//                    → stage 1 → low ───────┴→ refine1 → refine2 → classify → ×4
//                    → stage 3 → auxiliary, which only helps to learn

#include <ATen/ops/cat.h>
#include <ATen/ops/upsample_bilinear2d.h>

#include "engine/image_workload.h"
#include "layers/loss.h"
#include "layers/resnet.h"

namespace trainmark::train {
namespace {

namespace nn = torch::nn;

struct Size {
  std::int64_t batch;
  std::int64_t height;
  std::int64_t width;
  std::int64_t backbone;   // channels of its stem
  std::int64_t channels;   // of ASPP and decoder
  std::int64_t low;        // channels that the decoder takes from stage 1
  std::int64_t auxiliary;  // channels
};

const std::map<std::string, Size> kSizes = {{"full", {4, 512, 1024, 64, 512, 48, 256}},
                                            {"small", {2, 128, 128, 64, 512, 48, 256}},
                                            {"tiny", {4, 32, 64, 8, 64, 6, 32}}};

constexpr std::int64_t kClasses = 19;
constexpr std::int64_t kIgnored = 19;  // the label of pixels that do not count; 255 in Cityscapes
constexpr double kAuxiliaryWeight = 0.4;

/// Bilinear, corners not aligned.
at::Tensor stretch(const at::Tensor& x, at::IntArrayRef size) {
  return at::upsample_bilinear2d(x, size, /*align_corners=*/false);
}

/// Atrous spatial pyramid pooling: the same place seen from five distances.
struct AsppImpl : nn::Module {
  AsppImpl(std::int64_t in, std::int64_t out)
      : point(register_module("point", ConvNormRelu(in, out, 1))),
        dilated1(register_module("dilated1", Separable(in, out, 12))),
        dilated2(register_module("dilated2", Separable(in, out, 24))),
        dilated3(register_module("dilated3", Separable(in, out, 36))),
        pool(register_module("pool", ConvNormRelu(in, out, 1))),
        merge(register_module("merge", ConvNormRelu(5 * out, out, 3))) {}

  at::Tensor forward(const at::Tensor& x) {
    const at::Tensor mean = pool(x.mean({2, 3}, /*keepdim=*/true))
                                .expand({-1, -1, x.size(2), x.size(3)})
                                .contiguous(at::MemoryFormat::ChannelsLast);  // as the others
    return merge(at::cat({point(x), dilated1(x), dilated2(x), dilated3(x), mean}, 1));
  }

  ConvNormRelu point;
  Separable dilated1;
  Separable dilated2;
  Separable dilated3;
  ConvNormRelu pool;
  ConvNormRelu merge;
};
TORCH_MODULE(Aspp);

struct DecoderImpl : nn::Module {
  DecoderImpl(std::int64_t channels, std::int64_t low_in, std::int64_t low_out)
      : low(register_module("low", ConvNormRelu(low_in, low_out, 1))),
        refine1(register_module("refine1", Separable(channels + low_out, channels))),
        refine2(register_module("refine2", Separable(channels, channels))),
        classify(register_module("classify", nn::Conv2d(channels, kClasses, 1))) {}

  at::Tensor forward(const at::Tensor& context, const at::Tensor& detail) {
    const at::Tensor x = at::cat({stretch(context, detail.sizes().slice(2)), low(detail)}, 1);
    return classify(refine2(refine1(x)));
  }

  ConvNormRelu low;
  Separable refine1;
  Separable refine2;
  nn::Conv2d classify;
};
TORCH_MODULE(Decoder);

struct AuxiliaryImpl : ConvNormReluImpl {
  AuxiliaryImpl(std::int64_t in, std::int64_t channels)
      : ConvNormReluImpl(in, channels, 3),
        classify(register_module("classify", nn::Conv2d(channels, kClasses, 1))) {}

  at::Tensor forward(const at::Tensor& x) { return classify(ConvNormReluImpl::forward(x)); }

  nn::Conv2d classify;
};
TORCH_MODULE(Auxiliary);

struct DeepLab : nn::Module {
  explicit DeepLab(const Size& size) {
    const ResNetOptions resnet{.width = size.backbone, .output_stride = 8};
    backbone = register_module("backbone", ResNetTrunk(resnet));
    aspp = register_module("aspp", Aspp(resnet.channels(3), size.channels));
    decoder = register_module("decoder", Decoder(size.channels, resnet.channels(0), size.low));
    auxiliary = register_module("auxiliary", Auxiliary(resnet.channels(2), size.auxiliary));
  }

  at::Tensor loss(const at::Tensor& images, const at::Tensor& labels) {
    const auto [stage1, stage2, stage3, stage4] = backbone(images);
    const auto loss_of = [&](const at::Tensor& logits) {
      // To float and class by class, as cross-entropy wants them, while they are small.
      const at::Tensor planes = logits.to(at::kFloat).contiguous();
      return cross_entropy(stretch(planes, labels.sizes().slice(1)), labels, {.ignored = kIgnored});
    };
    return loss_of(decoder(aspp(stage4), stage1)) + kAuxiliaryWeight * loss_of(auxiliary(stage3));
  }

  ResNetTrunk backbone = nullptr;
  Aspp aspp = nullptr;
  Decoder decoder = nullptr;
  Auxiliary auxiliary = nullptr;
};

std::unique_ptr<Workload> make(const Options& options) {
  const Size& size = kSizes.at(options.size);
  const auto model = std::make_shared<DeepLab>(size);
  return std::make_unique<ImageWorkload>(
      options,
      ImageData{.height = size.height,
                .width = size.width,
                .labels = kClasses + 1,
                .label_each_pixel = true,
                .ignored = kIgnored},
      model,
      [model](const at::Tensor& images, const at::Tensor& labels) {
        return model->loss(images, labels);
      },
      /*weight_decay=*/5e-4,
      /*smallest_batch=*/2);  // the norm in aspp.pool has one number an image
}

const Registration<RegisteredWorkload> registered(
    "deeplabv3p",
    {describe_image_workload("deeplabv3p", "DeepLabV3+ on ResNet-50", "samples", kSizes), make});

}  // namespace
}  // namespace trainmark::train
