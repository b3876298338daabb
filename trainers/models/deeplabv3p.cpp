// DeepLabV3+ (Chen et al. 2018) on ResNet-50 at output stride 8: what is in each pixel of a street.
//
//   image → backbone → stage 4 → ASPP → ×2 ─┐
//                    → stage 1 → low ───────┴→ refine1 → refine2 → classify → ×4
//                    → stage 3 → auxiliary, which only helps to learn

#include <ATen/ops/cat.h>

#include "layers/loss.h"
#include "layers/resize.h"
#include "layers/resnet.h"
#include "quality/intersection_over_union.h"
#include "workload/image_workload.h"

namespace trainmark::train::deeplabv3p {
namespace {

namespace nn = torch::nn;

struct DeepLabSize {
  std::int64_t height;
  std::int64_t width;
  std::int64_t backbone_width;  // channels of its stem
  std::int64_t channels;        // of ASPP and decoder
  std::int64_t low_level;       // channels that the decoder takes from stage 1
  std::int64_t auxiliary;       // channels
  std::int64_t classes;

  /// The label of pixels that do not count, behind the last class; 255 in Cityscapes.
  std::int64_t ignored() const { return classes; }
};

DeepLabSize read_size(const Size& size) {
  return {.height = size.at("height"),
          .width = size.at("width"),
          .backbone_width = size.at("backbone_width"),
          .channels = size.at("channels"),
          .low_level = size.at("low_level"),
          .auxiliary = size.at("auxiliary"),
          .classes = size.at("classes")};
}

constexpr double auxiliary_weight = 0.4;

/// Atrous spatial pyramid pooling: the same place seen from five distances.
struct AsppImpl : nn::Module {
  AsppImpl(const TrainingContext& context, std::int64_t in, std::int64_t out)
      : point(register_module("point", ConvNormRelu(context, in, out, 1))),
        dilated1(register_module("dilated1", Separable(context, in, out, 12))),
        dilated2(register_module("dilated2", Separable(context, in, out, 24))),
        dilated3(register_module("dilated3", Separable(context, in, out, 36))),
        pool(register_module("pool", ConvNormRelu(context, in, out, 1))),
        merge(register_module("merge", ConvNormRelu(context, 5 * out, out, 3))) {}

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
  DecoderImpl(const TrainingContext& context, const DeepLabSize& size, std::int64_t low_in)
      : stretch(context),
        low(register_module("low", ConvNormRelu(context, low_in, size.low_level, 1))),
        refine1(register_module("refine1",
                                Separable(context, size.channels + size.low_level, size.channels))),
        refine2(register_module("refine2", Separable(context, size.channels, size.channels))),
        classify(register_module("classify", nn::Conv2d(size.channels, size.classes, 1))) {}

  at::Tensor forward(const at::Tensor& overview, const at::Tensor& detail) {
    const at::Tensor x = at::cat({stretch(overview, detail.sizes().slice(2)), low(detail)}, 1);
    return classify(refine2(refine1(x)));
  }

  Stretch stretch;
  ConvNormRelu low;
  Separable refine1;
  Separable refine2;
  nn::Conv2d classify;
};
TORCH_MODULE(Decoder);

struct AuxiliaryImpl : ConvNormReluImpl {
  AuxiliaryImpl(const TrainingContext& context, const DeepLabSize& size, std::int64_t in)
      : ConvNormReluImpl(context, in, size.auxiliary, 3),
        classify(register_module("classify", nn::Conv2d(size.auxiliary, size.classes, 1))) {}

  at::Tensor forward(const at::Tensor& x) { return classify(ConvNormReluImpl::forward(x)); }

  nn::Conv2d classify;
};
TORCH_MODULE(Auxiliary);

struct DeepLab : nn::Module {
  DeepLab(const TrainingContext& context, const DeepLabSize& size, double smoothing)
      : stretch(context),
        cross_entropy(context, {.smoothing = smoothing, .ignored = size.ignored()}) {
    const ResNetOptions resnet{.width = size.backbone_width, .output_stride = 8};
    backbone = register_module("backbone", ResNetTrunk(context, resnet));
    aspp = register_module("aspp", Aspp(context, resnet.channels(3), size.channels));
    decoder = register_module("decoder", Decoder(context, size, resnet.channels(0)));
    auxiliary = register_module("auxiliary", Auxiliary(context, size, resnet.channels(2)));
  }

  at::Tensor loss(const at::Tensor& images, const at::Tensor& labels) {
    const auto [stage1, stage2, stage3, stage4] = backbone(images);
    const auto loss_of = [&](const at::Tensor& logits) {
      return cross_entropy(stretched(logits, labels), labels);
    };
    return loss_of(decoder(aspp(stage4), stage1)) + auxiliary_weight * loss_of(auxiliary(stage3));
  }

  /// Of each pixel, without the help of the auxiliary head.
  at::Tensor logits(const at::Tensor& images, const at::Tensor& labels) {
    const auto [stage1, stage2, stage3, stage4] = backbone(images);
    return stretched(decoder(aspp(stage4), stage1), labels);
  }

  /// As large as the labels.
  at::Tensor stretched(const at::Tensor& logits, const at::Tensor& labels) {
    // To float and class by class, as cross-entropy wants them, while they are small.
    const at::Tensor planes = logits.to(at::kFloat).contiguous();
    return stretch(planes, labels.sizes().slice(1));
  }

  Stretch stretch;
  CrossEntropy cross_entropy;
  ResNetTrunk backbone = nullptr;
  Aspp aspp = nullptr;
  Decoder decoder = nullptr;
  Auxiliary auxiliary = nullptr;
};

std::unique_ptr<Workload> make(const WorkloadSetup& setup) {
  const DeepLabSize size = read_size(setup.size());
  const auto model = std::make_shared<DeepLab>(setup.context, size, setup.label_smoothing());
  const at::Device device(setup.options.device);
  return std::make_unique<ImageWorkload>(
      setup,
      ImageData{.height = size.height,
                .width = size.width,
                .labels = size.classes + 1,
                .label_each_pixel = true,
                .ignored = size.ignored()},
      model,
      [model](const at::Tensor& images, const at::Tensor& labels) {
        return model->loss(images, labels);
      },
      [model, size, device] {
        return evaluate_by(IntersectionOverUnion(device, size.classes, size.ignored()),
                           [model](IntersectionOverUnion& metric, const Batch& batch) {
                             const at::Tensor& labels = batch["labels"];
                             metric.add(model->logits(batch["images"], labels), labels);
                           });
      });
}

const Registration<RegisteredWorkload> registered("deeplabv3p", {make});

}  // namespace
}  // namespace trainmark::train::deeplabv3p
