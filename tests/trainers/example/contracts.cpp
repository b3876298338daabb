// The contracts of the worked examples, which lie beside them until they are moved to workloads/.

#include "base/registry.h"
#include "embedded/example_workloads.h"
#include "workload/contract.h"

namespace trainmark::train {
namespace {

struct ExampleContracts {
  ExampleContracts() {
    for (const EmbeddedFile& file : embedded::example_workloads) {
      const std::string name(file.name);
      Registry<ContractText>::all().emplace(
          name, ContractText{"docs/examples/" + name + ".yaml", file.text});
    }
  }
};
const ExampleContracts example_contracts;

}  // namespace
}  // namespace trainmark::train
