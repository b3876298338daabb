#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"
#include "base/text.h"
#include "base/version.h"
#include "launch/describe.h"
#include "launch/starter_processes.h"

namespace trainmark {

namespace {

std::string slurm_program(const std::string& name) {
  std::string path = find_program(name);
  if (!path.empty()) return path;
  throw UserError(fmt::format(
      "the launcher 'slurm' needs Slurm, but {} was not found in PATH; on Debian: apt-get install "
      "slurm-client",
      name));
}

/// The nodes of the job that this process runs in.
std::vector<Host> allocated_hosts() {
  const char* list = std::getenv("SLURM_JOB_NODELIST");
  if (list == nullptr) {
    throw UserError(
        "SLURM_JOB_NODELIST is not set: this is not a Slurm allocation; start trainmark with "
        "--launcher slurm outside an allocation (it submits a job), or inside salloc or sbatch");
  }
  std::vector<Host> hosts;
  for (const auto& line :
       split(output_of({slurm_program("scontrol"), "show", "hostnames", list}), '\n')) {
    const auto name = trim(line);
    if (!name.empty()) hosts.push_back({std::string(name), 0});
  }
  if (hosts.empty())
    throw UserError(fmt::format("scontrol did not list the nodes of '{}'", printable(list)));
  return hosts;
}

/// "RUNNING", "CANCELLED"; empty where Slurm does not answer.
std::string state_of_job(const std::string& number) {
  constexpr std::string_view key = "JobState=";
  const std::string scontrol = find_program("scontrol");
  if (scontrol.empty()) return "";
  const std::string job = output_of({scontrol, "--oneliner", "show", "job", number});
  const std::size_t begin = job.find(key);
  if (begin == std::string::npos) return "";
  return job.substr(begin + key.size(), job.find(' ', begin) - begin - key.size());
}

bool is_ending(const std::string& state) {
  return !state.empty() && state != "RUNNING" && state != "SUSPENDED";
}

/// A job that `sbatch --wait` waits for.
class SlurmSubmission : public Submission {
 public:
  SlurmSubmission(const std::string& script_file, std::function<void(const std::string&)> say)
      : say_(std::move(say)),
        sbatch_({spec_of(script_file)}, [this](int, Stream stream, std::string_view bytes) {
          (stream == Stream::output ? output_ : errors_) += bytes;
        }) {}

  bool wait(double seconds) override {
    if (sbatch_.wait(seconds)) {
      if (!told_ && !number().empty()) {
        say_(fmt::format("submitted job {}; to cancel it, press Ctrl-C or run scancel {}", number(),
                         number()));
        told_ = true;
      }
      return true;
    }
    if (cancelled_ && !told_) return false;
    if (number().empty()) {
      throw UserError(fmt::format("sbatch refused the job: {}", printable(trim(errors_), 500)));
    }
    if (!ended_well())
      say_(fmt::format("job {} failed{}", number(),
                       trim(errors_).empty() ? "" : ": " + printable(trim(errors_), 500)));
    return false;
  }

  /// Before the job has a number, there is only sbatch to end.
  void cancel() override {
    if (cancelled_) return;
    cancelled_ = true;
    if (told_) {
      output_of({slurm_program("scancel"), number()});
    } else {
      sbatch_.kill();
    }
  }

  bool ended_well() const override { return sbatch_.outcomes().front().code == 0; }

 private:
  static ProcessSpec spec_of(const std::string& script_file) {
    ProcessSpec spec;
    spec.command = {slurm_program("sbatch"), "--parsable", "--wait", script_file};
    spec.tells_events = false;
    return spec;
  }

  /// sbatch --parsable prints "12" or "12;cluster".
  std::string number() const {
    return std::string(trim(output_.substr(0, output_.find_first_of(";\n"))));
  }

  std::function<void(const std::string&)> say_;
  std::string output_;
  std::string errors_;
  bool told_ = false;
  bool cancelled_ = false;
  LocalProcesses sbatch_;  // after what its sink uses, so that it goes first
};

class SlurmScheduler : public Scheduler {
 public:
  std::string script(const SuiteJob& job) const override {
    std::string script = "#!/bin/sh\n";
    for (const auto& word :
         {"--job-name=" + job.name, fmt::format("--nodes={}", job.scale.nodes),
          fmt::format("--ntasks-per-node={}", job.scale.per_node), "--output=" + job.log,
          "--error=" + job.log, std::string("--open-mode=append")}) {
      script += line_of(word);
    }
    for (const auto& word : job.arguments) script += line_of(word);
    // The bench takes the shell's place, so that the scheduler's signals reach it.
    return script + "cd " + shell_line({job.folder}) + " && exec " + shell_line(job.command) + "\n";
  }

  std::unique_ptr<Submission> submit(const std::filesystem::path& script_file,
                                     std::function<void(const std::string&)> say) const override {
    return std::make_unique<SlurmSubmission>(script_file.string(), std::move(say));
  }

 private:
  static std::string line_of(const std::string& word) {
    if (!word.starts_with("-") || word.find_first_of("\n\r") != std::string::npos) {
      throw UserError(
          fmt::format("'{}' in 'job_arguments' is not an option of sbatch; write each "
                      "as one item, such as --partition=gpu",
                      printable(word)));
    }
    const bool plain = word.find_first_of(" \t'\"\\#") == std::string::npos;
    return "#SBATCH " + (plain ? word : shell_line({word})) + "\n";
  }
};

/// Starts the ranks through Slurm's srun, inside an allocation. Outside of one, the whole suite
/// becomes a job.
class SlurmLauncher : public Launcher {
 public:
  std::unique_ptr<Scheduler> scheduler() const override {
    if (std::getenv("SLURM_JOB_ID") != nullptr) return nullptr;
    return std::make_unique<SlurmScheduler>();
  }

  LaunchPlan plan(const LaunchRequest& request) const override {
    return {command_of(request), {}, {}};
  }

  std::unique_ptr<Processes> start(const LaunchRequest& request, StreamSink sink) const override {
    return std::make_unique<StarterProcesses>(command_of(request), "srun", request.scale, false,
                                              std::move(sink));
  }

  bool has_machines() const override {
    const char* job = std::getenv("SLURM_JOB_ID");
    return job == nullptr || !is_ending(state_of_job(job));
  }

 private:
  static std::vector<std::string> command_of(const LaunchRequest& request) {
    const Scale scale = request.scale;
    const auto hosts = request.hosts.empty()
                           ? choose_hosts(allocated_hosts(), scale, "in the job's allocation")
                           : choose_hosts(request.hosts, scale, "named");
    std::vector<std::string> words = {slurm_program("srun"),
                                      "--nodes=" + std::to_string(scale.nodes),
                                      "--ntasks=" + std::to_string(scale.ranks()),
                                      "--ntasks-per-node=" + std::to_string(scale.per_node),
                                      "--nodelist=" + join(hosts, ","),
                                      "--distribution=block",
                                      "--cpu-bind=none",  // the agents pin by themselves
                                      "--mpi=none",
                                      "--overlap",  // the bench itself may be a step of the job
                                      "--input=none",
                                      "--kill-on-bad-exit=1"};
    words.insert(words.end(), request.launcher_arguments.begin(), request.launcher_arguments.end());
    words.push_back((program_folder() / "trainmark").string());
    for (auto& word : agent_words(agent_request("slurm", request, hosts, false)))
      words.push_back(std::move(word));
    return words;
  }
};

/// An allocation may be larger than the job step in it.
RankVariables agent_variables() {
  RankVariables names = rank_variables("slurm");
  names.ranks = "SLURM_STEP_NUM_TASKS";
  return names;
}

const Registration<LauncherKind> registered(
    "slurm", {"Slurm's srun inside an allocation; outside one, a job is submitted with sbatch",
              [] { return std::make_unique<SlurmLauncher>(); }, agent_variables});

}  // namespace

}  // namespace trainmark
