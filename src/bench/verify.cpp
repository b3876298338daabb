#include "bench/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "base/time.h"
#include "bench/proof_tensors.h"
#include "bench/run.h"
#include "journal/journal.h"
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

/// Nobody times a proof. Threads that spin while they wait for each other take a busy machine's
/// cores from the very threads that they wait for: twenty steps of half a second took a minute.
const std::map<std::string, std::string> patient_threads = {{"OMP_WAIT_POLICY", "passive"},
                                                            {"KMP_BLOCKTIME", "0"}};

bool offers(const FrameworkOffer& offer, const Cell& cell) {
  const WorkloadDescription* workload = offer.find(cell.workload);
  const DeviceDescription* device = offer.device(cell.device);
  if (workload == nullptr || device == nullptr || !device->missing.empty()) return false;
  const auto has = [](const auto& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  const auto precisions = workload->precisions.find(cell.device);
  const auto only_on = workload->mode_devices.find(cell.framework_mode());
  return precisions != workload->precisions.end() && has(precisions->second, cell.precision) &&
         (only_on == workload->mode_devices.end() || has(only_on->second, cell.device));
}

const SizeDescription& find_size(const WorkloadDescription& workload, const std::string& name) {
  for (const SizeDescription& size : workload.sizes)
    if (size.name == name) return size;
  throw UserError(fmt::format("{} has no size '{}'; write full, small or tiny", workload.name,
                              printable(name)));
}

/// Those of the wanted shapes that a cell of this size has to name: a shape that is the size's own
/// is named by nobody.
Shapes other_shapes(const Shapes& wanted, const WorkloadDescription& workload,
                    const SizeDescription& size) {
  Shapes shapes;
  for (const auto& [name, value] : wanted) {
    const auto own = size.shapes.find(name);
    if (own == size.shapes.end()) {
      std::vector<std::string> known;
      for (const auto& [shape, usual] : size.shapes) known.push_back(shape);
      throw UserError(fmt::format("{}: {} has no such shape; {}", shape_option(name), workload.name,
                                  known.empty() ? "it has none" : "it has " + join(known, ", ")));
    }
    if (own->second != value) shapes[name] = value;
  }
  return shapes;
}

const FrameworkOffer& reference_offer(const VerifyOptions& options, const Catalog& catalog) {
  Cell cell;
  cell.framework = options.reference;
  const FrameworkOffer* offer = catalog.find(cell.framework_name());
  if (offer == nullptr) {
    throw UserError(fmt::format("--reference {}: there is no such framework; {}",
                                printable(options.reference),
                                suggest(cell.framework_name(), catalog.framework_names())));
  }
  if (!offer->missing.empty()) {
    throw UserError(fmt::format("--reference {}: {}", options.reference, offer->missing));
  }
  return *offer;
}

void check_frameworks(const VerifyOptions& options, const Catalog& catalog) {
  for (const std::string& wanted : options.frameworks) {
    const std::string name = wanted.substr(0, wanted.find(':'));
    const FrameworkOffer* offer = catalog.find(name);
    if (offer == nullptr) {
      throw UserError(fmt::format("unknown framework '{}'; {}", printable(wanted),
                                  suggest(name, catalog.framework_names())));
    }
    if (!offer->missing.empty()) throw UserError(offer->missing);
  }
}

bool is_wanted(const VerifyOptions& options, const Cell& cell) {
  if (options.frameworks.empty()) return true;
  return std::any_of(options.frameworks.begin(), options.frameworks.end(),
                     [&](const std::string& wanted) {
                       return wanted == cell.framework || wanted == cell.framework_name();
                     });
}

/// Those of the same workload, size and precision, the reference first where it is one of them.
void add_cells(const Cell& reference, const VerifyOptions& options, const Catalog& catalog,
               std::vector<Cell>& cells) {
  if (has_few_bits(reference.precision)) {
    if (!offers(reference_offer(options, catalog), reference)) return;
    cells.push_back(reference);
  }
  for (const FrameworkOffer& offer : catalog.frameworks) {
    const WorkloadDescription* own =
        offer.missing.empty() ? offer.find(reference.workload) : nullptr;
    if (own == nullptr) continue;
    for (const std::string& mode : own->modes) {
      Cell cell = reference;
      cell.framework = offer.name + ":" + mode;
      if (cell.framework != options.reference && is_wanted(options, cell) && offers(offer, cell))
        cells.push_back(cell);
    }
  }
}

class Verification {
 public:
  Verification(const VerifyOptions& options, const Catalog& catalog, Progress& progress,
               const std::function<bool()>& interrupted)
      : options_(options),
        catalog_(catalog),
        progress_(progress),
        interrupted_(interrupted),
        measuring_(with_fixed_steps(settle_measuring(suite_), options.steps, /*skip=*/0)),
        journal_(options.folder) {
    measuring_.time_limit = options.time_limit;
    measuring_.seed = options.seed;
  }

  std::vector<Proof> prove(const std::vector<Cell>& cells) {
    std::vector<Proof> proofs;
    for (const Cell& cell : cells) {
      const Cell reference = reference_of(cell);
      if (!(reference == reference_)) train_reference(reference);
      const std::optional<Proof> proof = compare(cell);
      if (!proof) continue;
      journal_.append(to_record(*proof));
      tell(*proof);
      proofs.push_back(*proof);
    }
    remove_files();
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

  std::string file(const std::string& name) const {
    return fs::absolute(options_.folder / (name + ".safetensors")).string();
  }
  std::string weights() const { return file("weights"); }
  ProofFiles reference_files() const {
    return {file("reference-gradients"), file("reference-trained")};
  }
  ProofFiles own_files() const { return {file("gradients"), file("trained")}; }

  /// They are large, and the proof has all that was learned from them.
  void remove_files() const {
    for (const std::string& path :
         {weights(), reference_files().gradients, reference_files().trained, own_files().gradients,
          own_files().trained}) {
      std::error_code error;
      fs::remove(path, error);
    }
  }

  void train_reference(const Cell& cell) {
    progress_.say(fmt::format("training the reference {}", cell.key()));
    reference_ = cell;
    reference_training_ = train(cell, {.save_weights = weights()}, reference_files());
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
          compare_tensors(weights(), reference_files(), own_files());
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
    const Training training = train(cell, {.load_weights = weights()}, own_files());
    if (training.refused) {
      progress_.say(fmt::format("{}: omitted: {}", cell.key(), training.trouble));
      return std::nullopt;
    }
    proof.versions = training.versions;
    proof.trouble = training.trouble;
    if (proof.trouble.empty()) compare_losses(proof, reference_training_.losses, training.losses);
    if (proof.trouble.empty()) compare_files(proof);
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

  void compare_files(Proof& proof) const {
    try {
      proof.tensors = compare_tensors(weights(), reference_files(), own_files());
    } catch (const UserError& error) {
      proof.trouble = error.what();
    }
  }

  Training train(const Cell& cell, ProofArguments arguments, const ProofFiles& files,
                 const std::map<std::string, std::string>& variables = {}) {
    for (const std::string& path : {files.gradients, files.trained}) fs::remove(path);
    RunTask task;
    task.id = fmt::format("{}-{}-{}", cell.workload, cell.size_text(), cell.framework);
    for (char& letter : task.id)
      if (letter == ':' || letter == ',' || letter == '=') letter = '-';
    task.planned.cell = cell;
    task.seed = options_.seed;
    task.folder = options_.folder;
    LaunchRequest request =
        make_trainer_request(cell, options_.seed, static_cast<std::size_t>(options_.steps), suite_,
                             *catalog_.find(cell.framework_name()));
    arguments.save_gradients = files.gradients;
    arguments.save_trained = files.trained;
    for (std::string& word : to_words(arguments)) request.command.push_back(std::move(word));
    for (const auto& [name, value] : variables) request.variables[name] = value;
    for (const auto& [name, value] : patient_threads) request.variables.emplace(name, value);
    task.run_folder = fs::absolute(options_.folder / "runs" / task.id);
    request.folder = task.run_folder;
    task.request = std::move(request);
    make_empty_folder(task.run_folder);
    RunHooks hooks;
    hooks.interrupted = interrupted_;
    const RunRecord record = perform_run(task, measuring_, hooks);
    Training training;
    if (!record.ok) {
      training.trouble = record.reason.empty() ? record.failure : record.reason;
      training.refused = record.failure == "unsupported";
      return training;
    }
    EventReader reader;
    reader.feed(read_file(task.run_folder / events_file(0, 1), largest_events));
    reader.finish();
    for (const Step& step : reader.steps()) training.losses.push_back(step.loss);
    training.versions = trainer_versions(record.trainer);
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
  Journal journal_;
  Cell reference_;
  Training reference_training_;
  std::map<std::string, std::optional<Rounding>> rounding_;  // of the reference, by precision
};

}  // namespace

std::set<std::string> named_frameworks(const VerifyOptions& options) {
  if (options.frameworks.empty()) return {};
  std::set<std::string> names = {split(options.reference, ':').front()};
  for (const std::string& name : options.frameworks) names.insert(split(name, ':').front());
  return names;
}

std::vector<Cell> cells_to_verify(const VerifyOptions& options, const Catalog& catalog) {
  const FrameworkOffer& reference = reference_offer(options, catalog);
  check_frameworks(options, catalog);
  std::vector<std::string> known;
  for (const WorkloadDescription& workload : reference.description.workloads)
    known.push_back(workload.name);
  const std::vector<std::string>& names = options.workloads.empty() ? known : options.workloads;
  std::vector<Cell> cells;
  for (const std::string& name : names) {
    const WorkloadDescription* workload = reference.find(name);
    if (workload == nullptr) {
      throw UserError(
          fmt::format("unknown workload '{}'; {}", printable(name), suggest(name, known)));
    }
    for (const std::string& size_name : options.sizes) {
      const SizeDescription& size = find_size(*workload, size_name);
      const Shapes shapes = other_shapes(options.shapes, *workload, size);
      for (const std::string& asked : options.precisions) {
        const Cell cell{.workload = name,
                        .size = size_name,
                        .framework = options.reference,
                        .precision = asked,
                        .batch = static_cast<int>(size.batch),
                        .device = options.device,
                        .scale = {},
                        .shapes = shapes};
        add_cells(cell, options, catalog, cells);
      }
    }
  }
  if (cells.empty()) {
    throw UserError(fmt::format(
        "there is nothing to compare: no other framework that can be used here trains these "
        "workloads on this device in {} (see `trainmark list frameworks`)",
        join(options.precisions, ", ")));
  }
  return cells;
}

std::vector<Proof> verify(const VerifyOptions& options, const Catalog& catalog, Progress& progress,
                          const std::function<bool()>& interrupted) {
  const std::vector<Cell> cells = cells_to_verify(options, catalog);
  return Verification(options, catalog, progress, interrupted).prove(cells);
}

}  // namespace trainmark
