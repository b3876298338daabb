#include "engine/evaluator.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include "base/error.h"
#include "engine/precision.h"

namespace trainmark::train {

Evaluator::Evaluator(Workload& workload, const FeedSetup& setup, const data::DataSet& training)
    : workload_(workload), world_(workload.setup().context.world), feed_(setup, training) {}

Quality Evaluator::evaluate() {
  const at::NoGradGuard no_grad;
  const Options& options = workload_.setup().options;
  average_statistics();
  workload_.model().eval();
  const std::unique_ptr<Evaluation> evaluation = workload_.make_evaluation();
  TRAINMARK_ASSERT(evaluation != nullptr);  // a workload with a recipe has one
  feed_.for_each_batch([&](const Batch& batch) {
    const PrecisionScope scope(options.precision, at::Device(options.device));
    evaluation->add(batch);
  });
  const Quality quality = evaluation->result(*world_);
  workload_.model().train();
  return quality;
}

void Evaluator::average_statistics() {
  if (!world_->has_group()) return;
  std::vector<at::Tensor> statistics;
  std::vector<at::Tensor> flat;
  for (const at::Tensor& buffer : workload_.model().buffers()) {
    if (!buffer.is_floating_point()) continue;
    statistics.push_back(buffer);
    flat.push_back(buffer.flatten());
  }
  if (flat.empty()) return;
  const at::Tensor all = at::cat(flat);
  world_->sum(all);
  all.div_(world_->size());
  std::int64_t begin = 0;
  for (const at::Tensor& buffer : statistics) {
    buffer.copy_(all.narrow(0, begin, buffer.numel()).view_as(buffer));
    begin += buffer.numel();
  }
}

}  // namespace trainmark::train
