// A suite as a user writes it, and the plan made from it: a bad one ends in a UserError.

#include <cstdint>

#include "base/error.h"
#include "scratch.h"
#include "suite/plan.h"

using namespace trainmark;

namespace {

/// One framework that can do a little, so that plans have cells to make and cells to skip.
Catalog small_catalog() {
  FrameworkOffer offer;
  offer.name = "clock";
  offer.program = {"/bin/true"};
  offer.description.framework = "clock";
  offer.description.devices = {{"cpu", ""}, {"cuda", "there is none"}};
  offer.description.workloads = {{.name = "clock",
                                  .title = "A known time per step",
                                  .unit = "steps",
                                  .modes = {"spin", "sleep"},
                                  .sizes = {{"full", 4}, {"tiny", 1}},
                                  .precisions = {{"cpu", {"fp32", "bf16"}}},
                                  .several_ranks = true}};
  Catalog catalog;
  catalog.frameworks.push_back(std::move(offer));
  return catalog;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Catalog catalog = small_catalog();
  try {
    const Suite suite = parse_suite(std::string(fuzz::view_of(data, size)), "suite.yaml");
    const Plan plan = make_plan(suite, catalog);
    if (plan.cells.size() > most_cells) std::abort();
  } catch (const UserError&) {
  }
  return 0;
}
