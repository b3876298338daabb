#include "launch/slurm_job.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"
#include "base/text.h"
#include "launch/describe.h"
#include "launch/process_job.h"

namespace trainmark {

namespace {

constexpr double submit_beat = 0.2;  // seconds between looks at the job

std::string job_line(const std::string& word) {
  if (!word.starts_with("-") || word.find_first_of("\n\r") != std::string::npos) {
    throw UserError(
        fmt::format("'{}' among the 'job_arguments' is no option of sbatch; write each "
                    "as one word, such as --partition=gpu",
                    printable(word)));
  }
  const bool plain = word.find_first_of(" \t'\"\\#") == std::string::npos;
  return "#SBATCH " + (plain ? word : shell_line({word})) + "\n";
}

/// sbatch --parsable prints "12" or "12;cluster".
std::string job_number(const std::string& output) {
  return std::string(trim(output.substr(0, output.find_first_of(";\n"))));
}

ProcessSpec slurm_spec(std::vector<std::string> command) {
  ProcessSpec spec;
  spec.command = std::move(command);
  spec.tells_events = false;
  return spec;
}

}  // namespace

std::string slurm_script(const SlurmJob& job) {
  std::string script = "#!/bin/sh\n";
  for (const auto& word :
       {"--job-name=" + job.name, fmt::format("--nodes={}", job.scale.nodes),
        fmt::format("--ntasks-per-node={}", job.scale.per_node), "--output=" + job.log,
        "--error=" + job.log, std::string("--open-mode=append")}) {
    script += job_line(word);
  }
  for (const auto& word : job.arguments) script += job_line(word);
  // The bench takes the shell's place, so that the scheduler's signals reach it.
  return script + "cd " + shell_line({job.folder}) + " && exec " + shell_line(job.command) + "\n";
}

bool run_slurm_job(const std::string& script_file, const std::function<bool()>& interrupted,
                   const std::function<void(const std::string&)>& say) {
  std::string output;
  std::string errors;
  ProcessJob sbatch({slurm_spec({slurm_program("sbatch"), "--parsable", "--wait", script_file})},
                    [&](int, Stream stream, std::string_view bytes) {
                      (stream == Stream::output ? output : errors) += bytes;
                    });
  bool told = false;
  bool cancelled = false;
  while (sbatch.wait(submit_beat)) {
    const std::string number = job_number(output);
    if (!told && !number.empty()) {
      say(fmt::format("job {} was submitted; it is cancelled with Ctrl-C or scancel {}", number,
                      number));
      told = true;
    }
    if (interrupted() && !cancelled && told) {
      cancelled = true;
      output_of({slurm_program("scancel"), number});
    }
    if (interrupted() && !told) return false;
  }
  const RankOutcome& outcome = sbatch.outcomes().front();
  if (!told && job_number(output).empty()) {
    throw UserError(fmt::format("sbatch refused the job: {}", printable(trim(errors), 500)));
  }
  if (outcome.code == 0) return true;
  say(fmt::format("job {} did not end well{}", job_number(output),
                  trim(errors).empty() ? "" : ": " + printable(trim(errors), 500)));
  return false;
}

std::vector<Host> allocated_hosts() {
  const char* list = std::getenv("SLURM_JOB_NODELIST");
  if (list == nullptr) {
    throw UserError(
        "there is no SLURM_JOB_NODELIST: this is no allocation of Slurm's; start trainmark with "
        "--launcher slurm outside of one (it makes a job), or within salloc or sbatch");
  }
  std::vector<Host> hosts;
  for (const auto& line :
       split(output_of({slurm_program("scontrol"), "show", "hostnames", list}), '\n')) {
    const auto name = trim(line);
    if (!name.empty()) hosts.push_back({std::string(name), 0});
  }
  if (hosts.empty())
    throw UserError(fmt::format("scontrol could not tell the nodes of '{}'", printable(list)));
  return hosts;
}

std::string slurm_program(const std::string& name) {
  const std::string path = find_program(name);
  if (!path.empty()) return path;
  throw UserError(fmt::format(
      "the launcher 'slurm' needs Slurm, and {} was not found in PATH; on Debian: apt-get install "
      "slurm-client",
      name));
}

}  // namespace trainmark
