#include "workload/workload.h"

#include <fmt/format.h>

#include "base/error.h"
#include "common/failure.h"

namespace trainmark::train {

std::int64_t Workload::smallest_batch() const {
  const std::string& unit = setup_.contract.batch_unit;
  const std::int64_t each = unit.empty() ? 1 : setup_.size().at(unit);
  return setup_.contract.smallest_batch * each;
}

const OptimizerSettings& WorkloadSetup::optimizer() const {
  return options.quality.wanted ? contract.training->optimizer : contract.optimizer;
}

double WorkloadSetup::label_smoothing(double own) const {
  return options.quality.wanted ? contract.training->label_smoothing.value_or(0) : own;
}

Contract contract_for(const Options& resolved) {
  Contract contract = find_contract(resolved.workload);
  contract.reshape(resolved.size, resolved.shapes);
  if (!resolved.quality.wanted) return contract;
  if (!contract.training) {
    throw Unsupported(
        fmt::format("{} has no recipe for a training to quality; add 'training' to {}",
                    contract.name, contract.file));
  }
  contract.training = changed_recipe(*contract.training, resolved.quality);
  return contract;
}

std::unique_ptr<Workload> make_workload(const Options& resolved, const TrainingContext& context) {
  const RegisteredWorkload* registered = Registry<RegisteredWorkload>::find(resolved.workload);
  TRAINMARK_ASSERT(registered != nullptr);  // resolved options name a known workload
  const WorkloadSetup setup{
      .options = resolved, .contract = contract_for(resolved), .context = context};
  const std::int64_t smallest = setup.contract.smallest_batch;
  if (resolved.batch < smallest) {
    throw Unsupported(
        fmt::format("--batch {}: {} needs at least {}, as one of its norms is over the batch alone",
                    resolved.batch, resolved.workload, smallest));
  }
  return registered->make(setup);
}

}  // namespace trainmark::train
