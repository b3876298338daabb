#include "launch/describe.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "base/time.h"
#include "base/version.h"
#include "base/waiting.h"
#include "environ/nvml/nvml.h"
#include "environ/system/child.h"
#include "launch/in_container.h"
#include "launch/local_processes.h"
#include "protocol/arguments.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr double longest_answer = 60;            // seconds; a cold start of a framework is slow
constexpr std::size_t largest_answer = 1 << 20;  // bytes
constexpr std::size_t largest_file = 64 * 1024;  // of framework.yaml

bool is_program(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

/// `PROGRAM --describe`, under way.
class Question {
 public:
  Question(std::vector<std::string> command, const std::map<std::string, std::string>& environment)
      : job_({spec_of(std::move(command), environment)},
             [this](int, Stream stream, std::string_view bytes) {
               std::string& text = stream == Stream::output ? answer_ : errors_;
               if (text.size() < largest_answer) text += bytes;
             }) {}

  /// Waits for it. Throws std::runtime_error that says why there is none.
  std::string answer() {
    const double deadline = monotonic_seconds() + longest_answer;
    while (job_.wait(0.2)) {
      if (monotonic_seconds() > deadline) {
        throw std::runtime_error(fmt::format("no answer within {:.0f} s", longest_answer));
      }
    }
    const RankOutcome& outcome = job_.outcomes().front();
    if (!outcome.start_error.empty()) throw std::runtime_error(outcome.start_error);
    if (outcome.signal) {
      throw std::runtime_error(fmt::format("ended by signal {}", *outcome.signal));
    }
    if (outcome.code != 0) {
      // The last line of a stack trace is the one that says what is wrong.
      const auto lines = split(trim(errors_), '\n');
      throw std::runtime_error(fmt::format("exit code {}: {}", outcome.code.value_or(-1),
                                           printable(lines.empty() ? "" : lines.back())));
    }
    return answer_;
  }

 private:
  static ProcessSpec spec_of(std::vector<std::string> command,
                             const std::map<std::string, std::string>& environment) {
    ProcessSpec spec;
    spec.command = std::move(command);
    spec.variables = environment;
    return spec;
  }

  std::string answer_;
  std::string errors_;
  LocalProcesses job_;  // after what its sink uses, so that it goes first
};

bool has_gpu() {
  const auto nvml = Nvml::shared();
  return nvml != nullptr && nvml->count() > 0;
}

/// Is it where a shell would find it?
bool is_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  return !find_program(name, path == nullptr ? "" : path).empty();
}

std::string missing_engine(const Container& container) {
  if (is_in_path(container.engine)) return "";
  return fmt::format("{} was not found, and the suite asks for the container {}", container.engine,
                     container.image);
}

/// Why a program cannot be started.
std::string no_program(const std::string& name, const fs::path& folder = {}) {
  const std::string shown = printable(name);
  if (name.find('/') == std::string::npos) return shown + " was not found in PATH";
  std::error_code error;
  const fs::path path = folder / name;
  if (!fs::exists(path, error)) return shown + " was not found";
  if (fs::is_directory(path, error)) return shown + " is a folder, not a program";
  return shown +
         " cannot be executed; check that it is a program with execute permission (chmod +x)";
}

std::string missing_program(const ForeignCommand& foreign) {
  const std::string& name = foreign.command.front();
  const bool is_path = name.find('/') != std::string::npos;
  if (is_path ? is_program(fs::path(foreign.folder) / name) : is_in_path(name)) return "";
  return "its program " + no_program(name, foreign.folder);
}

/// A command offers what the suite says of it.
FrameworkOffer command_offer(const std::string& name, const FrameworkSettings& own) {
  const ForeignCommand& foreign = *own.foreign;
  const auto fact = [&](const char* key, const std::string& otherwise) {
    const auto* value = foreign.fact(key);
    return value == nullptr ? otherwise : value->value;
  };
  FrameworkOffer offer;
  offer.name = offer.title = name;
  offer.foreign = true;
  offer.program = foreign.command;
  offer.description.devices = {{"cpu", ""}, {"cuda", has_gpu() ? "" : "there is no GPU"}};
  WorkloadDescription workload;
  workload.name = workload.title = fact("workload", name);
  workload.unit = fact("unit", "items");
  workload.sizes = {{fact("size", "full"), unknown_batch}};
  workload.several_ranks = true;
  offer.description.workloads = {workload};
  offer.missing = own.container ? missing_engine(*own.container) : missing_program(foreign);
  return offer;
}

/// `python` names the interpreter of a framework that is written in Python.
void check_python(const FrameworkOffer& offer, const FrameworkSettings& own, const fs::path& home) {
  if (!own.python) return;
  std::error_code error;
  if (!own.program.empty() || !fs::exists(home / "frameworks" / offer.name / "trainer.py", error))
    fail_at(own.python->place,
            fmt::format("'python' is for frameworks that are written in Python; {} is not",
                        printable(offer.name)));
  if (!own.container && !is_program(own.python->value))
    fail_at(own.python->place, fmt::format("there is no interpreter at {}; write its full path",
                                           printable(own.python->value)));
}

std::string hint(const FrameworkOffer& offer) {
  return offer.setup.empty() ? "" : fmt::format("; to install it: {}", offer.setup);
}

/// Nothing where the program is not there; the offer then says so.
std::unique_ptr<Question> ask(FrameworkOffer& offer, const FrameworkSettings& own) {
  const std::string program = find_program(offer.program.front());
  // Trainers start in folders of their own, and a path is meant from here.
  if (!program.empty()) offer.program.front() = fs::absolute(program).lexically_normal();
  std::vector<std::string> command = offer.program;
  command.push_back(option::describe);
  if (own.container) {
    offer.missing = missing_engine(*own.container);
    ContainerUse use;
    use.command = command;
    use.label = "trainmark.question=describe";
    use.gpus = own.container->gpus && has_gpu();
    for (const auto& [name, value] : own.environment) use.variables.push_back(name);
    command = trainer_in_container(*own.container, use);
  } else if (program.empty()) {
    const std::string why = no_program(offer.program.front());
    offer.missing = own.program.empty()
                        ? fmt::format("{} is not installed ({}){}", offer.name, why, hint(offer))
                        : fmt::format("{} cannot be started: {}", offer.name, why);
  }
  if (!offer.missing.empty()) return nullptr;
  return std::make_unique<Question>(command, own.environment);
}

void take_answer(Question& question, FrameworkOffer& offer) {
  try {
    offer.description = read_description(question.answer());
    // A trainer that cannot read the contracts offers no workloads. Its devices say why.
    const Description& told = offer.description;
    if (told.workloads.empty() && !told.devices.empty())
      offer.missing = told.devices.front().missing;
  } catch (const std::exception& error) {
    offer.missing = fmt::format("{} does not work here: `{} --describe`: {}{}", offer.name,
                                shell_line(offer.program), error.what(), hint(offer));
  }
}

void keep_wanted(Catalog& catalog, const std::set<std::string>& wanted) {
  const bool all_known = std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
    return catalog.find(name) != nullptr;
  });
  if (wanted.empty() || !all_known) return;
  std::erase_if(catalog.frameworks,
                [&](const FrameworkOffer& offer) { return !wanted.contains(offer.name); });
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  std::vector<fs::path> folders = {trainers_folder(), program_folder()};
  const char* path = std::getenv("PATH");
  for (const auto& folder : split(path == nullptr ? "" : path, ':')) folders.emplace_back(folder);
  for (const auto& folder : folders) {
    if (!folder.empty() && is_program(folder / name)) return (folder / name).string();
  }
  return "";
}

Catalog find_frameworks(const fs::path& home,
                        const std::map<std::string, FrameworkSettings>& settings,
                        const std::set<std::string>& wanted) {
  Catalog catalog;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(home / "frameworks", error)) {
    const fs::path file = entry.path() / "framework.yaml";
    if (!fs::exists(file, error)) continue;
    FrameworkOffer offer = parse_framework_file(read_file(file, largest_file), file.string());
    // An installed tree cannot be built, and says itself what it lacks.
    if (!is_checkout(home) && offer.setup.starts_with("make ")) offer.setup.clear();
    catalog.frameworks.push_back(std::move(offer));
  }
  for (const auto& [name, own] : settings) {
    if (own.foreign) {
      std::erase_if(catalog.frameworks,
                    [&name = name](const auto& offer) { return offer.name == name; });
      catalog.frameworks.push_back(command_offer(name, own));
    }
    if (catalog.find(name) != nullptr) continue;
    if (own.program.empty()) {
      fail_at(own.place, fmt::format("there is no framework '{}'; {}, or say how to start it with "
                                     "'program' or 'command'",
                                     printable(name), suggest(name, catalog.framework_names())));
    }
    FrameworkOffer offer;
    offer.name = name;
    offer.title = name;
    catalog.frameworks.push_back(std::move(offer));
  }
  std::sort(catalog.frameworks.begin(), catalog.frameworks.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto settings_of = [&](const std::string& name) {
    const auto found = settings.find(name);
    return found == settings.end() ? FrameworkSettings() : found->second;
  };
  for (const auto& offer : catalog.frameworks) check_python(offer, settings_of(offer.name), home);
  keep_wanted(catalog, wanted);
  // All at the same time: an interpreter takes a moment to start.
  std::vector<std::unique_ptr<Question>> questions;
  for (auto& offer : catalog.frameworks) {
    const FrameworkSettings own = settings_of(offer.name);
    if (!own.program.empty()) offer.program = own.program;
    questions.push_back(offer.foreign ? nullptr : ask(offer, own));
  }
  const Waiting waiting("asking the frameworks what they offer");
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (questions[i]) take_answer(*questions[i], catalog.frameworks[i]);
  }
  return catalog;
}

std::optional<int> usable_gpus() {
  const auto nvml = Nvml::shared();
  if (nvml == nullptr) return std::nullopt;
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return nvml->count();
  const auto words = split(visible, ',');
  const auto named = std::count_if(words.begin(), words.end(),
                                   [](const std::string& word) { return !trim(word).empty(); });
  return std::min(nvml->count(), static_cast<int>(named));
}

}  // namespace trainmark
