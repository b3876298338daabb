#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/secrets.h"
#include "bench/measuring.h"
#include "bench/progress.h"
#include "environ/machine/environment.h"
#include "journal/proof.h"
#include "suite/catalog.h"
#include "suite/plan.h"

namespace trainmark {

struct SessionOptions {
  std::filesystem::path folder;        // of the journal
  bool resume = false;                 // go on in a folder that holds runs already
  bool retry_failed = false;           // failed runs are done again
  bool more_cells = false;             // also cells that were not planned when the suite was begun
  std::vector<std::string> overrides;  // what the command line changed, kept with the results
  std::vector<std::string> only = {};  // patterns of the plan's cells, kept likewise
  Secrets secrets = Secrets();         // what must not be written
  std::vector<Proof> proofs = {};      // what is known of the frameworks; kept where it is of use
  std::function<nlohmann::json()> environment = [] { return collect_environment(); };
};

struct SessionOutcome {
  std::size_t total = 0;   // runs of the plan: pairs of a cell and a round
  std::size_t done = 0;    // of them in the journal, well or badly
  std::size_t failed = 0;  // of those
};

/// Measures a plan into a journal: round after round, each in an order of its own, every run
/// recorded before the next begins. Throws UserError (folder in use or of another suite),
/// SystemError (disk full; what was measured stays) and Interrupted.
SessionOutcome measure_suite(const Suite& suite, const Plan& plan, const Catalog& catalog,
                             const Measuring& measuring, const SessionOptions& options,
                             Progress& progress, const std::function<bool()>& interrupted);

}  // namespace trainmark
