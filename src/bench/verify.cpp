#include "bench/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "base/time.h"
#include "bench/proof_folder.h"
#include "bench/proof_tensors.h"
#include "bench/run.h"
#include "journal/trainer_versions.h"
#include "launch/rank_variables.h"
#include "protocol/arguments.h"
#include "protocol/event_reader.h"
#include "protocol/precisions.h"
#include "protocol/run_files.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_events = 64 << 20;  // bytes; twenty steps are a few kilobytes
constexpr const char* full_precision = "fp32";
// Far more than any workload's own: what is kept is then multiplied by four, and a trainer that
// leaves that out has far shorter gradients.
constexpr double proof_dropout = 0.75;
constexpr int dropout_passes = 16;  // of a step: chance has less to say in their mean
// Some gradients are zero in mathematics, such as that of a bias in front of a norm, and what a
// program has there is rounding.
constexpr double nothing_but_rounding = 1e-5;  // of the longest gradient

/// Nobody times a proof. Threads that spin while they wait for each other take a busy machine's
/// cores from the very threads that they wait for: twenty steps of half a second took a minute.
const std::map<std::string, std::string> patient_threads = {{"OMP_WAIT_POLICY", "passive"},
                                                            {"KMP_BLOCKTIME", "0"}};

class Verification {
 public:
  Verification(const VerifyOptions& options, const Catalog& catalog, Progress& progress,
               const std::function<bool()>& interrupted)
      : options_(options),
        catalog_(catalog),
        progress_(progress),
        interrupted_(interrupted),
        measuring_(settle_measuring(suite_)),
        folder_(options.folder) {
    measuring_.time_limit = options.time_limit;
    measuring_.seed = options.seed;
  }

  std::vector<Proof> prove(const std::vector<Cell>& cells) {
    std::vector<Proof> proofs;
    for (const Cell& cell : cells) {
      folder_.enter(cell.workload);
      const Cell reference = reference_of(cell);
      if (!(reference == reference_)) train_reference(reference);
      const std::optional<Proof> proof = compare(cell);
      if (!proof) continue;
      folder_.keep(*proof);
      tell(*proof);
      proofs.push_back(*proof);
    }
    return proofs;
  }

 private:
  /// Rounding to few bits hides what it is itself: these are compared with a training without it.
  Cell reference_of(const Cell& cell) const {
    Cell reference = cell;
    reference.framework = options_.reference;
    if (has_few_bits(cell.precision)) reference.precision = full_precision;
    return reference;
  }

  bool is_reference(const Cell& cell) const { return cell.framework == options_.reference; }

  /// The losses of a training, or why there are none.
  struct Training {
    std::vector<double> losses;
    std::map<std::string, std::string> versions;
    std::string trouble;
    bool refused = false;  // not wrong, but not meant to be trained so
  };

  std::string weights() { return folder_.file("weights"); }
  ProofFiles reference_files() {
    return {folder_.file("reference-gradients"), folder_.file("reference-trained")};
  }
  ProofFiles own_files() { return {folder_.file("gradients"), folder_.file("trained")}; }

  void train_reference(const Cell& cell) {
    progress_.say(fmt::format("training the reference {}", cell.key()));
    reference_ = cell;
    reference_training_ = train(cell, {.save_weights = weights()}, reference_files());
    reference_with_dropout_.reset();
    rounding_.clear();
    if (!reference_training_.trouble.empty())
      progress_.say(fmt::format("  {}", reference_training_.trouble));
  }

  /// What rounding alone does to the reference in this precision, if that is known.
  std::optional<Rounding> rounding_of(const Cell& cell) {
    const auto known = rounding_.find(cell.precision);
    if (known != rounding_.end()) return known->second;
    if (has_few_bits(cell.precision)) return std::nullopt;
    return rounding_[cell.precision] = train_reference_again(reference_);
  }

  /// With one thread, which adds up in another order: whatever differs then is rounding.
  std::optional<Rounding> train_reference_again(const Cell& cell) {
    const Training again =
        train(cell, {.load_weights = weights()}, own_files(), thread_variables(1));
    if (!again.trouble.empty()) {
      progress_.say(fmt::format("  not trained again with one thread: {}", again.trouble));
      return std::nullopt;
    }
    try {
      const TensorDifferences differences =
          compare_tensors(weights(), reference_files(), own_files(), rounding_within(cell));
      return Rounding{differences.updates, differences.growth};
    } catch (const UserError& error) {  // its rounding is not known, as that of older proofs
      progress_.say(fmt::format("  not compared with itself: {}", error.what()));
      return std::nullopt;
    }
  }

  /// Nothing where the trainer refuses to train the cell.
  std::optional<Proof> compare(const Cell& cell) {
    Proof proof;
    proof.cell = cell;
    proof.reference = options_.reference;
    proof.tolerance = options_.tolerance;
    proof.checked = utc_now();
    proof.reference_versions = reference_training_.versions;
    if (reference_.precision != cell.precision) proof.reference_precision = reference_.precision;
    if (!reference_training_.trouble.empty()) {
      proof.trouble = fmt::format("the reference failed: {}", reference_training_.trouble);
      return proof;
    }
    if (!is_reference(cell)) {
      proof.rounding = rounding_of(cell);
      if (!proof.rounding && has_few_bits(cell.precision)) {
        proof.trouble = fmt::format("the reference failed in {}", cell.precision);
        return proof;
      }
    }
    const Training training = train_other(cell);
    if (training.refused) {
      progress_.say(fmt::format("{}: omitted: {}", cell.key(), training.trouble));
      return std::nullopt;
    }
    proof.versions = training.versions;
    proof.trouble = training.trouble;
    if (proof.trouble.empty()) compare_losses(proof, reference_training_.losses, training.losses);
    if (proof.trouble.empty()) compare_files(proof);
    if (proof.trouble.empty() && drops(cell)) compare_with_dropout(proof);
    judge(proof, limits_of(cell));
    if (is_reference(cell)) note_rounding(proof);
    return proof;
  }

  ProofLimits limits_of(const Cell& cell) const {
    if (!has_few_bits(cell.precision)) return {};
    const double unit = rounding_unit(cell.precision);
    return is_reference(cell) ? reference_limits(unit) : few_bit_limits(unit);
  }

  void note_rounding(const Proof& of_reference) {
    if (!of_reference.same()) return;
    rounding_[of_reference.cell.precision] = Rounding{.updates = of_reference.tensors->updates,
                                                      .growth = of_reference.tensors->growth,
                                                      .first_loss = of_reference.first_difference,
                                                      .losses = of_reference.largest_difference,
                                                      .gradients = of_reference.tensors->gradients,
                                                      .lengths = of_reference.tensors->lengths};
  }

  /// Where all keys are nearly alike, the gradient of the query is a difference of large numbers:
  /// programs that round at other places have nothing in common there.
  static double rounding_within(const Cell& cell) {
    constexpr double units = 4;  // as in the first loss of the reference
    return has_few_bits(cell.precision) ? units * rounding_unit(cell.precision)
                                        : nothing_but_rounding;
  }

  void compare_files(Proof& proof) {
    try {
      proof.tensors =
          compare_tensors(weights(), reference_files(), own_files(), rounding_within(proof.cell));
    } catch (const UserError& error) {
      proof.trouble = error.what();
    }
  }

  bool drops(const Cell& cell) const {
    const FrameworkOffer* offer = catalog_.find(reference_.framework_name());
    return options_.dropout_steps > 0 && offer->find(cell.workload)->dropout > 0;
  }

  /// Chance decides each loss, but not their mean and their scatter.
  void compare_with_dropout(Proof& proof) {
    const std::string expected = folder_.file("reference-dropout-gradients");
    const std::string found = folder_.file("dropout-gradients");
    if (!reference_with_dropout_)
      reference_with_dropout_ = train_with_dropout(reference_, expected);
    const Training& reference = *reference_with_dropout_;
    if (!reference.trouble.empty()) {
      proof.trouble = fmt::format("the reference failed with dropout: {}", reference.trouble);
      return;
    }
    const Training training = train_with_dropout(proof.cell, found);
    if (!training.trouble.empty()) {
      proof.trouble = fmt::format("with dropout: {}", training.trouble);
      return;
    }
    try {
      proof.dropout = compare_dropout(reference.losses, training.losses, proof_dropout);
      proof.dropout->gradients = typical_length(expected, found);
    } catch (const UserError& error) {
      proof.trouble = error.what();
    }
  }

  /// A large batch leaves as little to chance as several small ones.
  int passes_with_dropout(const Cell& cell) const {
    const WorkloadDescription& workload =
        *catalog_.find(reference_.framework_name())->find(cell.workload);
    std::int64_t smallest = cell.batch;
    for (const SizeDescription& size : workload.sizes) smallest = std::min(smallest, size.batch);
    return static_cast<int>(std::max<std::int64_t>(1, dropout_passes * smallest / cell.batch));
  }

  Training train_with_dropout(Cell cell, const std::string& gradients) {
    cell.accumulate = passes_with_dropout(cell);
    return train_steps(
        cell, {.dropout = proof_dropout, .load_weights = weights(), .save_gradients = gradients},
        options_.dropout_steps, {});
  }

  /// As many steps as the reference has trained with: those that were left out for an overflow do
  /// not count.
  Training train_other(const Cell& cell) {
    const ProofArguments arguments = {.load_weights = weights()};
    Training training = train(cell, arguments, own_files());
    if (!has_few_bits(cell.precision)) return training;
    const int left_out = steps_left_out(reference_training_.losses, training.losses);
    if (left_out == 0) return training;
    training = train(cell, arguments, own_files(), {}, options_.steps + left_out);
    if (training.trouble.empty())
      training.losses.erase(training.losses.begin(), training.losses.begin() + left_out);
    return training;
  }

  Training train(const Cell& cell, ProofArguments arguments, const ProofFiles& files,
                 const std::map<std::string, std::string>& variables = {}) {
    return train(cell, std::move(arguments), files, variables, options_.steps);
  }

  Training train(const Cell& cell, ProofArguments arguments, const ProofFiles& files,
                 const std::map<std::string, std::string>& variables, int steps) {
    for (const std::string& path : {files.gradients, files.trained}) fs::remove(path);
    arguments.save_gradients = files.gradients;
    arguments.save_trained = files.trained;
    return train_steps(cell, arguments, steps, variables);
  }

  Training train_steps(const Cell& cell, const ProofArguments& arguments, int steps,
                       const std::map<std::string, std::string>& variables) {
    RunTask task;
    task.id = fmt::format("{}-{}-{}{}", cell.workload, cell.size_text(), cell.framework,
                          arguments.dropout > 0 ? "-dropout" : "");
    for (char& letter : task.id)
      if (letter == ':' || letter == ',' || letter == '=') letter = '-';
    task.planned.cell = cell;
    task.seed = options_.seed;
    task.folder = options_.folder;
    LaunchRequest request =
        make_trainer_request(cell, options_.seed, static_cast<std::size_t>(steps), suite_,
                             *catalog_.find(cell.framework_name()));
    for (std::string& word : to_words(arguments)) request.command.push_back(std::move(word));
    for (const auto& [name, value] : variables) request.variables[name] = value;
    for (const auto& [name, value] : patient_threads) request.variables.emplace(name, value);
    task.run_folder = fs::absolute(options_.folder / "runs" / task.id);
    request.folder = task.run_folder;
    task.request = std::move(request);
    make_empty_folder(task.run_folder);
    RunHooks hooks;
    hooks.interrupted = interrupted_;
    const RunRecord record =
        perform_run(task, with_fixed_steps(measuring_, steps, /*skip=*/0), hooks);
    Training training;
    training.versions = trainer_versions(record.trainer);  // also of one that has failed
    if (!record.ok) {
      training.trouble = record.reason.empty() ? record.failure : record.reason;
      training.refused = record.failure == "unsupported";
      return training;
    }
    EventReader reader;
    reader.feed(read_file(task.run_folder / events_file(0, 1), largest_events));
    reader.finish();
    for (const Step& step : reader.steps()) training.losses.push_back(step.loss);
    return training;
  }

  void tell(const Proof& proof) {
    if (!proof.trouble.empty()) {
      progress_.say(fmt::format("{}: {}", proof.cell.key(), proof.trouble));
      return;
    }
    progress_.say(fmt::format("{}: {}", proof.cell.key(),
                              proof.same() ? "the same" : "NOT the same; different:"));
    for (const std::string& line : proof.differs) progress_.say(fmt::format("  {}", line));
  }

  const VerifyOptions& options_;
  const Catalog& catalog_;
  Progress& progress_;
  const std::function<bool()>& interrupted_;
  Suite suite_;
  Measuring measuring_;
  ProofFolder folder_;
  Cell reference_;
  Training reference_training_;
  std::optional<Training> reference_with_dropout_;           // where it was needed
  std::map<std::string, std::optional<Rounding>> rounding_;  // of the reference, by precision
};

}  // namespace

std::vector<Proof> verify(const VerifyOptions& options, const Catalog& catalog, Progress& progress,
                          const std::function<bool()>& interrupted) {
  const std::vector<Cell> cells = cells_to_verify(options, catalog);
  return Verification(options, catalog, progress, interrupted).prove(cells);
}

}  // namespace trainmark
