#include "workload/recipe.h"

#include <array>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "workload/mapping.h"

namespace trainmark::train {
namespace {

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array<Named<Schedule::Kind>, 4> schedules = {
    {{"cosine", Schedule::Kind::cosine},
     {"linear", Schedule::Kind::linear},
     {"inverse-sqrt", Schedule::Kind::inverse_sqrt},
     {"constant", Schedule::Kind::constant}}};
constexpr std::array<Named<Decay>, 2> decays = {
    {{"all", Decay::all}, {"matrices", Decay::matrices}}};
constexpr std::array<Named<Better>, 2> directions = {
    {{"higher", Better::higher}, {"lower", Better::lower}}};
constexpr std::array<Named<std::string_view>, 3> augmentations = {
    {{"resized-crops", "resized-crops"}, {"shifts", "shifts"}, {"none", "none"}}};

template <class Table>
auto one_of_table(const Table& table, const std::string& name, const std::string& where) {
  std::vector<std::string> known;
  for (const auto& entry : table) {
    if (entry.name == name) return entry.value;
    known.emplace_back(entry.name);
  }
  throw std::runtime_error(
      fmt::format("{}: there is no '{}'; known: {}", where, name, join(known, ", ")));
}

template <class Table, class Value>
std::string name_in_table(const Table& table, Value value) {
  for (const auto& entry : table) {
    if (entry.value == value) return std::string(entry.name);
  }
  return "";
}

double number_between(Mapping& mapping, const std::string& key, double low, double high) {
  const auto value = mapping.take<double>(key);
  if (value >= low && value <= high) return value;
  throw std::runtime_error(
      fmt::format("{}: '{}' is {}, not {} to {}", mapping.where(), key, value, low, high));
}

constexpr double most_epochs = 1e6;
constexpr double least_epochs = 1e-6;

Schedule read_schedule(Mapping mapping) {
  const std::string where = mapping.where();
  Schedule schedule{.kind = one_of_table(schedules, mapping.take<std::string>("kind"), where),
                    .warm_up = number_between(mapping, "warm_up", 0, most_epochs),
                    .epochs = number_between(mapping, "epochs", least_epochs, most_epochs)};
  mapping.expect_nothing_left();
  return schedule;
}

std::optional<double> read_smoothing(Mapping& mapping) {
  const auto smoothing = mapping.take_if_any<double>("label_smoothing");
  if (!smoothing || (*smoothing >= 0 && *smoothing < 1)) return smoothing;
  throw std::runtime_error(
      fmt::format("{}: 'label_smoothing' is {}, not below 1", mapping.where(), *smoothing));
}

}  // namespace

std::string to_text(Schedule::Kind kind) {
  return name_in_table(schedules, kind);
}

std::string to_text(Decay decay) {
  return name_in_table(decays, decay);
}

std::string to_text(Better better) {
  return name_in_table(directions, better);
}

Recipe read_recipe(Mapping mapping) {
  const std::string where = mapping.where();
  const auto named = [&](const auto& table, const char* key, const char* otherwise) {
    const auto name = mapping.take_if_any<std::string>(key).value_or(otherwise);
    return one_of_table(table, name, fmt::format("{}: '{}'", where, key));
  };
  Recipe recipe{
      .optimizer = read_optimizer(mapping.take_mapping("optimizer")),
      .reference_batch = mapping.take<std::int64_t>("reference_batch"),
      .decay = named(decays, "decay", "all"),
      .schedule = read_schedule(mapping.take_mapping("schedule")),
      .label_smoothing = read_smoothing(mapping),
      .augmentation = std::string(named(augmentations, "augmentation", "resized-crops")),
      .evaluate_every = number_between(mapping, "evaluate_every", least_epochs, most_epochs),
      .target = mapping.take<double>("target"),
      .better = one_of_table(directions, mapping.take<std::string>("better"),
                             fmt::format("{}: 'better'", where))};
  mapping.expect_nothing_left();
  if (recipe.reference_batch < 1) {
    throw std::runtime_error(fmt::format("{}: 'reference_batch' is 1 or more", where));
  }
  return recipe;
}

Recipe changed_recipe(Recipe recipe, const QualityOptions& options) {
  std::visit(
      [&](auto& settings) {
        settings.learning_rate = options.learning_rate.value_or(settings.learning_rate);
        settings.weight_decay = options.weight_decay.value_or(settings.weight_decay);
      },
      recipe.optimizer);
  recipe.schedule.epochs = options.epochs.value_or(recipe.schedule.epochs);
  recipe.schedule.warm_up = options.warm_up.value_or(recipe.schedule.warm_up);
  recipe.evaluate_every = options.evaluate_every.value_or(recipe.evaluate_every);
  if (options.label_smoothing) {
    if (!recipe.label_smoothing) {
      throw UserError(
          "--label-smoothing: the loss of this workload has no labels to smooth; leave "
          "it out");
    }
    recipe.label_smoothing = options.label_smoothing;
  }
  if (options.warm_up && *options.warm_up > recipe.schedule.epochs) {
    throw UserError(fmt::format("--warm-up {}: the training has {} epochs; write fewer",
                                *options.warm_up, recipe.schedule.epochs));
  }
  return recipe;
}

OptimizerSettings read_optimizer(Mapping mapping) {
  const auto kind = mapping.take<std::string>("kind");
  OptimizerSettings settings;
  if (kind == "sgd") {
    settings = Sgd{.learning_rate = mapping.take<double>("learning_rate"),
                   .momentum = mapping.take<double>("momentum"),
                   .weight_decay = mapping.take_if_any<double>("weight_decay").value_or(0)};
  } else if (kind == "adam" || kind == "adamw") {
    settings = Adam{.learning_rate = mapping.take<double>("learning_rate"),
                    .beta1 = mapping.take<double>("beta1"),
                    .beta2 = mapping.take<double>("beta2"),
                    .epsilon = mapping.take<double>("epsilon"),
                    .weight_decay = mapping.take_if_any<double>("weight_decay").value_or(0),
                    .decoupled = kind == "adamw"};
  } else {
    throw std::runtime_error(
        fmt::format("{}: there is no '{}'; known: sgd, adam, adamw", mapping.where(), kind));
  }
  mapping.expect_nothing_left();
  return settings;
}

}  // namespace trainmark::train
