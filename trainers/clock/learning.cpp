#include "clock/learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "base/error.h"
#include "base/files.h"
#include "base/generator.h"
#include "base/option_checks.h"
#include "base/quality_task.h"
#include "protocol/arguments.h"

namespace trainmark::clock {
namespace {

constexpr std::size_t largest_checkpoint = 1 << 24;  // bytes

/// A standard normal number from a seed (Box and Muller).
double normal_of(std::uint64_t seed, const char* name) {
  const Generator generator(seed, name);
  const double u = 1.0 - generator.uniform(0);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * generator.uniform(1));
}

std::filesystem::path checkpoint_file(const Learning& learning) {
  return std::filesystem::path(learning.checkpoint) / "checkpoint.json";
}

}  // namespace

void add_learning_options(CLI::App& app, Learning& learning) {
  const auto epochs = number_from(1e-3, 1e6);
  const auto quality = number_from(-1e6, 1e6);
  const auto ms = number_from(0.0, 1e6);
  app.add_flag(option::quality, learning.quality, "Play a training to quality, with evaluations");
  app.add_option(option::data, learning.data, "The data set to name; nothing is read");
  app.add_option(option::epochs, learning.epochs, "How long to train")->check(epochs);
  app.add_option(option::evaluate_every, learning.evaluate_every, "Epochs between evaluations")
      ->check(epochs);
  app.add_option(option::checkpoint, learning.checkpoint,
                 "Folder to save progress in, and to continue from");
  app.add_option(option::checkpoint_every, learning.checkpoint_every,
                 "Epochs between checkpoints; default: as evaluations")
      ->check(epochs);
  app.add_option("--steps-per-epoch", learning.steps_per_epoch, "Steps of an epoch")
      ->check(whole_from(1, 1'000'000));
  app.add_option("--target", learning.target, "The target to report")->check(quality);
  app.add_option("--first-quality", learning.first_quality, "Quality before training")
      ->check(quality);
  app.add_option("--final-quality", learning.final_quality, "Quality after endless training")
      ->check(quality);
  app.add_option("--learn-epochs", learning.learn_epochs,
                 "Epochs in which the distance to the final quality falls to 1/e")
      ->check(epochs);
  app.add_option("--learn-spread", learning.learn_spread, "Relative spread of it between seeds")
      ->check(number_from(0.0, 10.0));
  app.add_option("--evaluation-ms", learning.evaluation_ms, "Time per evaluation")->check(ms);
  app.add_option("--checkpoint-ms", learning.checkpoint_ms, "Time per checkpoint")->check(ms);
}

LearningPlan::LearningPlan(const Learning& learning, std::uint64_t seed, std::int64_t items)
    : learning_(learning),
      learn_epochs_(learning.learn_epochs *
                    std::exp(learning.learn_spread * normal_of(seed, "clock.learning"))),
      items_(items) {}

std::int64_t LearningPlan::steps() const {
  const auto per_epoch = static_cast<double>(learning_.steps_per_epoch);
  return std::max<std::int64_t>(1, std::llround(learning_.epochs * per_epoch));
}

double LearningPlan::epoch_at(std::int64_t steps_done) const {
  return static_cast<double>(steps_done) / static_cast<double>(learning_.steps_per_epoch);
}

bool LearningPlan::is_due(std::int64_t steps_done, double every) const {
  if (steps_done == steps()) return true;
  const double interval = every * static_cast<double>(learning_.steps_per_epoch);
  const auto number = [&](std::int64_t step) {
    return std::floor(static_cast<double>(step) / interval + 1e-9);
  };
  return number(steps_done) > number(steps_done - 1);
}

bool LearningPlan::evaluates_after(std::int64_t steps_done) const {
  return is_due(steps_done, learning_.evaluate_every);
}

bool LearningPlan::saves_after(std::int64_t steps_done) const {
  if (learning_.checkpoint.empty()) return false;
  const double every = learning_.checkpoint_every;
  return is_due(steps_done, every > 0 ? every : learning_.evaluate_every);
}

double LearningPlan::quality_at(std::int64_t steps_done) const {
  return learning_.final_quality + (learning_.first_quality - learning_.final_quality) *
                                       std::exp(-epoch_at(steps_done) / learn_epochs_);
}

nlohmann::json LearningPlan::start() const {
  return {{"metric", "played quality"},
          {"better", higher_is_better() ? "higher" : "lower"},
          {"target", learning_.target},
          {"epochs", learning_.epochs},
          {"evaluate_every", learning_.evaluate_every},
          {"steps_per_epoch", learning_.steps_per_epoch},
          {"evaluation_samples", 1000},
          {"recipe", {{"learn_epochs", learn_epochs_}}}};
}

nlohmann::json LearningPlan::truth() const {
  for (std::int64_t step = 1; step <= steps(); ++step) {
    if (evaluates_after(step) && reaches(quality_at(step), learning_.target, higher_is_better()))
      return {{"epochs", epoch_at(step)}, {"steps", step}, {"samples", step * items_}};
  }
  return nullptr;
}

Learned load_checkpoint(const Learning& learning, std::uint64_t seed) {
  Learned learned;
  if (learning.checkpoint.empty()) return learned;
  const auto file = checkpoint_file(learning);
  if (!std::filesystem::exists(file)) return learned;
  const auto json = nlohmann::json::parse(read_file(file, largest_checkpoint), nullptr, false);
  if (!json.is_object() || json.value("seed", std::uint64_t{0}) != seed ||
      json.value("epochs", 0.0) != learning.epochs || !json.contains("evaluations"))
    throw UserError(
        fmt::format("--checkpoint: {} is of another training; remove it, or choose "
                    "another folder",
                    file.string()));
  learned.step = json.value("step", std::int64_t{0});
  learned.seconds = json.value("seconds", 0.0);
  learned.evaluations = json["evaluations"];
  return learned;
}

std::int64_t save_checkpoint(const Learning& learning, std::uint64_t seed, const Learned& learned) {
  const std::string text = nlohmann::json({{"seed", seed},
                                           {"epochs", learning.epochs},
                                           {"step", learned.step},
                                           {"seconds", learned.seconds},
                                           {"evaluations", learned.evaluations}})
                               .dump();
  make_folders(learning.checkpoint);
  write_file_atomically(checkpoint_file(learning), text);
  return static_cast<std::int64_t>(text.size());
}

}  // namespace trainmark::clock
