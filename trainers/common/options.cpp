#include "common/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/text.h"
#include "common/failure.h"
#include "protocol/arguments.h"
#include "protocol/precisions.h"

namespace trainmark::train {
namespace {

constexpr std::int64_t largest_number = 1'000'000'000'000;

template <class Thing>
std::vector<std::string> names_of(const std::vector<Thing>& things) {
  std::vector<std::string> names;
  for (const Thing& thing : things) names.push_back(thing.name);
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <class Thing>
const Thing& find(const std::vector<Thing>& things, const std::string& name,
                  std::string_view option) {
  for (const Thing& thing : things) {
    if (thing.name == name) return thing;
  }
  throw UserError(fmt::format("{}: there is no '{}'; {}", option, printable(name),
                              suggest(name, names_of(things))));
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

const WorkloadDescription& find_workload(const Options& options, const Description& description) {
  if (options.workload.empty()) {
    throw UserError(fmt::format("--workload is missing; known: {}",
                                join(names_of(description.workloads), ", ")));
  }
  return find(description.workloads, options.workload, "--workload");
}

void check_shapes(const Options& options, const SizeDescription& size) {
  for (const auto& [name, value] : options.shapes) {
    if (size.shapes.contains(name) || name == "sample_rate")
      continue;  // the engine knows who samples
    std::vector<std::string> known;
    for (const auto& [own, number] : size.shapes) known.push_back(shape_option(own));
    throw UserError(fmt::format("{}: {} has none; {}", shape_option(name), options.workload,
                                known.empty() ? "leave it out" : "it has " + join(known, ", ")));
  }
}

void check_precision(const Options& options, const WorkloadDescription& workload) {
  if (!contains(known_precisions(), options.precision)) {
    throw UserError(fmt::format("--precision: there is no '{}'; {}", printable(options.precision),
                                suggest(options.precision, known_precisions())));
  }
  const auto supported = workload.precisions.find(options.device);
  if (supported == workload.precisions.end()) {
    throw Unsupported(
        fmt::format("{} cannot be trained on {} by this program", workload.name, options.device));
  }
  if (!contains(supported->second, options.precision)) {
    throw Unsupported(fmt::format("{} cannot be trained in {} on {}; it can in {}", workload.name,
                                  options.precision, options.device,
                                  join(supported->second, ", ")));
  }
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  app.add_flag(option::describe, options.describe, "Print as JSON what this program can train");
  app.add_flag("--list", options.list, "Print the same for people");
  app.add_option(option::workload, options.workload, "What to train");
  app.add_option(option::size, options.size, "full, small or tiny")->capture_default_str();
  app.add_option(option::mode, options.mode, "How the framework trains it");
  app.add_option(option::precision, options.precision, join(known_precisions(), ", "))
      ->capture_default_str();
  app.add_option(option::batch, options.batch, "Items per device in one forward pass")
      ->check(whole_from(1, largest_number));
  app.add_option(option::accumulate, options.accumulate, "Forward passes in one optimizer step")
      ->capture_default_str()
      ->check(whole_from(1, largest_number));
  app.add_option(option::device, options.device, "cpu or cuda")->capture_default_str();
  app.add_option(option::seed, options.seed, "Random seed of weights and data")
      ->capture_default_str();
  app.add_option(option::steps, options.steps, "Maximum number of optimizer steps")
      ->capture_default_str()
      ->check(whole_from(1, largest_number));
  for (const std::string& name : shape_names()) {
    if (name == "sample_rate") continue;  // a trainer that can has it (trainers/train)
    app.add_option_function<std::int64_t>(
           shape_option(name),
           [&options, name](std::int64_t value) {
             options.shapes[name] = static_cast<double>(value);
           },
           "Instead of the size's own, where the workload has it")
        ->check(whole_from(1, largest_number));
  }
  app.add_option(option::dropout, options.dropout,
                 "Rate of dropout instead of the workload's own; 0 turns it off")
      ->check(number_from(0, 0.99));
}

bool parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    standard_output() << app.help();
    return false;
  } catch (const CLI::ExtrasError&) {
    std::string wrong = app.remaining().front();
    wrong = wrong.substr(0, wrong.find('='));
    throw UserError(fmt::format("there is no argument '{}'; {}", printable(wrong),
                                suggest(wrong, option_names(app))));
  } catch (const CLI::ParseError& error) {
    throw UserError(fmt::format("{} (see --help)", printable(error.what(), 500)));
  }
  return true;
}

Options resolve(Options options, const Description& description) {
  const WorkloadDescription& workload = find_workload(options, description);
  const SizeDescription& size = find(workload.sizes, options.size, "--size");
  if (options.batch == 0) options.batch = size.batch;
  check_shapes(options, size);
  if (options.mode.empty()) options.mode = workload.modes.front();
  if (!contains(workload.modes, options.mode)) {
    throw UserError(fmt::format("--mode: {} has no '{}'; {}", workload.name,
                                printable(options.mode), suggest(options.mode, workload.modes)));
  }
  const DeviceDescription& device = find(description.devices, options.device, "--device");
  if (!device.missing.empty()) {
    throw Unsupported(fmt::format("{} cannot be used here: {}", device.name, device.missing));
  }
  const auto only_on = workload.mode_devices.find(options.mode);
  if (only_on != workload.mode_devices.end() && !contains(only_on->second, options.device)) {
    throw Unsupported(fmt::format("the mode {} is not for {}; it is for {}", options.mode,
                                  options.device, join(only_on->second, ", ")));
  }
  check_precision(options, workload);
  return options;
}

nlohmann::json start_fields(const Options& resolved, const Description& description) {
  const WorkloadDescription& workload = find_workload(resolved, description);
  nlohmann::json fields = {{"framework", description.framework},
                           {"versions", description.versions},
                           {"mode", resolved.mode},
                           {"workload", resolved.workload},
                           {"size", resolved.size},
                           {"precision", resolved.precision},
                           {"batch", resolved.batch},
                           {"accumulate", resolved.accumulate},
                           {"device", resolved.device},
                           {"unit", workload.unit}};
  if (!resolved.shapes.empty()) fields["shapes"] = resolved.shapes;
  return fields;
}

}  // namespace trainmark::train
