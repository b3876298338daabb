#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/version.h"
#include "bench/verify.h"
#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output_path.h"
#include "cli/show_report.h"
#include "launch/describe.h"
#include "protocol/arguments.h"
#include "protocol/precisions.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

TableCell verdict_of(const Proof& proof) {
  if (!proof.trouble.empty()) return {"failed: " + proof.trouble, Tone::bad};
  if (proof.same()) return {"the same", Tone::good};
  return {"not the same: " + (proof.differs.empty() ? "" : proof.differs.front()), Tone::bad};
}

/// How many standard errors the losses lie apart, and how much longer the gradients are.
std::string dropout_of(const Proof& proof) {
  if (!proof.dropout) return "-";
  return fmt::format("{:.1f} σ, × {:.2f}", proof.dropout->errors(), proof.dropout->gradients);
}

Table table_of(const std::vector<Proof>& proofs) {
  Table table;
  table.columns = {{"workload", Align::left, 90, 10},   {"size", Align::left, 60, 0},
                   {"framework", Align::left, 95, 10},  {"precision", Align::left, 75, 0},
                   {"first loss", Align::right, 50, 0}, {"losses", Align::right, 80, 0},
                   {"gradients", Align::right, 70, 0},  {"updates", Align::right, 65, 0},
                   {"growth", Align::right, 45, 0},     {"dropout", Align::right, 40, 0},
                   {"verdict", Align::left, 100, 12}};
  for (const Proof& proof : proofs) {
    const auto number = [&](double difference) {
      return proof.trouble.empty() ? fmt::format("{:.1e}", difference) : "-";
    };
    const TensorDifferences tensors = proof.tensors.value_or(TensorDifferences());
    table.rows.push_back({proof.cell.workload, proof.cell.size_text(), proof.cell.framework,
                          proof.cell.precision, number(proof.first_difference),
                          number(proof.largest_difference), number(tensors.gradients.largest),
                          number(tensors.updates.largest), number(tensors.growth),
                          dropout_of(proof), verdict_of(proof)});
  }
  return table;
}

/// Ctrl-C gives up the training in flight; the proofs before it are kept.
std::vector<Proof> prove(const VerifyOptions& options, const Catalog& catalog, Progress& progress) {
  const NotedSignals noted;
  try {
    return verify(options, catalog, progress, is_interrupted);
  } catch (const Interrupted&) {
    throw Interrupted(fmt::format("the proofs so far are kept in {}", options.folder.string()));
  }
}

int verify_all(VerifyOptions options, const std::string& out) {
  if (!out.empty()) check_output_folder("--out", out);
  options.folder = out.empty() ? proofs_folder(home()) : std::filesystem::path(out);
  const auto progress = make_progress(can_redraw(STDERR_FILENO));
  const Catalog catalog = find_frameworks(home(), {}, named_frameworks(options));
  const std::vector<Proof> proofs = prove(options, catalog, *progress);
  write_terminal(table_of(proofs), terminal_options(), standard_output());
  std::size_t other = 0;
  for (const Proof& proof : proofs) other += proof.same() ? 0 : 1;
  const bool few_bits = std::any_of(options.precisions.begin(), options.precisions.end(),
                                    [](const auto& name) { return has_few_bits(name); });
  say("\n{} of {} train the same as {} over {} steps, to {:g} of the loss{}; kept in {}",
      proofs.size() - other, proofs.size(), options.reference, options.steps, options.tolerance,
      few_bits ? fmt::format(" or {:g} times what rounding does to {} itself",
                             ProofLimits().times_rounding, options.reference)
               : "",
      options.folder.string());
  return other == 0 && !proofs.empty() ? exit_well : exit_failed;
}

const Registration<Subcommand> verify_command(
    "verify",
    {"check that frameworks train the same: losses, gradients, weight updates",
     [](CLI::App& app) -> std::function<int()> {
       auto options = std::make_shared<VerifyOptions>();
       auto out = std::make_shared<std::string>();
       auto shapes = std::make_shared<std::map<std::string, std::optional<double>>>();
       app.add_option("workload", options->workloads, "such as bert (default: all)");
       app.add_option("--frameworks", options->frameworks,
                      "such as pytorch or pytorch:compile (default: all that can be used here)")
           ->delimiter(',');
       app.add_option("--size", options->sizes, "full, small, tiny (default: tiny)")
           ->delimiter(',');
       for (const std::string& name : shape_names()) {
         app.add_option(shape_option(name), (*shapes)[name], "instead of the size's own")
             ->check(number_above(0, 1e12));
       }
       app.add_option("--device", options->device, "cpu or cuda (default: cpu)")
           ->check(one_of({"cpu", "cuda"}));
       app.add_option("--precision", options->precisions,
                      fmt::format("{} (default: fp32); reduced precisions are compared with the "
                                  "reference in fp32",
                                  join(known_precisions(), ", ")))
           ->check(one_of(known_precisions()))
           ->delimiter(',');
       app.add_option("--reference", options->reference,
                      "what the others are compared with (default: libtorch:eager)");
       app.add_option("--steps", options->steps, "number of steps to compare (default: 20)")
           ->check(whole_from(2, 10000));
       app.add_option("--dropout-steps", options->dropout_steps,
                      "number of steps with dropout, where a workload has it; 0: dropout is not "
                      "compared (default: 12)")
           ->check(whole_from(0, 10000));
       app.add_option(
              "--tolerance", options->tolerance,
              "the largest relative difference of losses to accept (default: 0.001); the other "
              "limits scale with it")
           ->check(number_from(1e-9, 1));
       app.add_option("--seed", options->seed, "random seed of weights and data (default: 1)")
           ->check(whole_from(0, INT64_MAX));
       add_path_option(app, "--out", *out, "the folder for the proofs (default: results/verify)");
       add_examples(app, {{"trainmark verify", "every workload in every framework, size tiny"},
                          {"trainmark verify bert --frameworks pytorch,jax --size tiny,small",
                           "one workload in two frameworks"}});
       return [options, shapes, out] {
         for (const auto& [name, value] : *shapes)
           if (value) options->shapes[name] = *value;
         return verify_all(*options, *out);
       };
     }});

}  // namespace

}  // namespace trainmark
