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
#include "launch/process_job.h"

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
  Question(const std::vector<std::string>& program,
           const std::map<std::string, std::string>& environment)
      : job_({spec_of(program, environment)}, [this](int, Stream stream, std::string_view bytes) {
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
  static ProcessSpec spec_of(const std::vector<std::string>& program,
                             const std::map<std::string, std::string>& environment) {
    ProcessSpec spec;
    spec.command = program;
    spec.command.push_back("--describe");
    spec.variables = environment;
    return spec;
  }

  std::string answer_;
  std::string errors_;
  ProcessJob job_;  // after what its sink uses, so that it goes first
};

std::string hint(const FrameworkOffer& offer) {
  return offer.setup.empty() ? "" : fmt::format("; to install it: {}", offer.setup);
}

/// Nothing where the program is not there; the offer then says so.
std::unique_ptr<Question> ask(FrameworkOffer& offer,
                              const std::map<std::string, std::string>& environment) {
  const std::string program = find_program(offer.program.front());
  if (program.empty()) {
    offer.missing = fmt::format("{} is not installed ({} was not found){}", offer.name,
                                offer.program.front(), hint(offer));
    return nullptr;
  }
  offer.program.front() = program;
  return std::make_unique<Question>(offer.program, environment);
}

void take_answer(Question& question, FrameworkOffer& offer) {
  try {
    read_description(question.answer(), offer);
  } catch (const std::exception& error) {
    offer.missing = fmt::format("{} does not work here: `{} --describe`: {}{}", offer.name,
                                shell_line(offer.program), error.what(), hint(offer));
  }
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  std::vector<fs::path> folders = {program_folder()};
  const char* path = std::getenv("PATH");
  for (const auto& folder : split(path == nullptr ? "" : path, ':')) folders.emplace_back(folder);
  for (const auto& folder : folders) {
    if (!folder.empty() && is_program(folder / name)) return (folder / name).string();
  }
  return "";
}

Catalog find_frameworks(const fs::path& home,
                        const std::map<std::string, FrameworkSettings>& settings) {
  Catalog catalog;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(home / "frameworks", error)) {
    const fs::path file = entry.path() / "framework.yaml";
    if (!fs::exists(file, error)) continue;
    catalog.frameworks.push_back(
        parse_framework_file(read_file(file, largest_file), file.string()));
  }
  for (const auto& [name, own] : settings) {
    if (catalog.find(name) != nullptr) continue;
    if (own.program.empty()) {
      fail_at(own.place, fmt::format("there is no framework '{}'; {}, or say how to start it with "
                                     "'program'",
                                     printable(name), suggest(name, catalog.framework_names())));
    }
    FrameworkOffer offer;
    offer.name = name;
    offer.title = name;
    catalog.frameworks.push_back(std::move(offer));
  }
  std::sort(catalog.frameworks.begin(), catalog.frameworks.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  // All at the same time: an interpreter takes a moment to start.
  std::vector<std::unique_ptr<Question>> questions;
  for (auto& offer : catalog.frameworks) {
    const auto own = settings.find(offer.name);
    if (own != settings.end() && !own->second.program.empty()) offer.program = own->second.program;
    questions.push_back(ask(offer, own != settings.end() ? own->second.environment
                                                         : std::map<std::string, std::string>{}));
  }
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (questions[i]) take_answer(*questions[i], catalog.frameworks[i]);
  }
  return catalog;
}

}  // namespace trainmark
