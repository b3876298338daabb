#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "suite/hosts.h"

namespace trainmark {

/// A whole suite as one job of Slurm: the bench itself runs on its first node, and starts the runs
/// with srun.
struct SlurmJob {
  std::string name;
  Scale scale;                         // the most nodes, and the most ranks of a node
  std::vector<std::string> arguments;  // for sbatch, such as --partition=gpu
  std::string folder;                  // where the bench is started
  std::string log;                     // what it prints
  std::vector<std::string> command;    // of the bench
};

/// The script that sbatch is given. Throws UserError for an argument that cannot stand in one.
std::string slurm_script(const SlurmJob& job);

/// Submits a script and waits until the job has ended; cancels it when `interrupted`. `say` gets
/// the scheduler's words. True where the job ended with exit code 0. Throws UserError where the
/// scheduler refuses the job.
bool run_slurm_job(const std::string& script_file, const std::function<bool()>& interrupted,
                   const std::function<void(const std::string&)>& say);

/// The nodes of the job that this process runs in. Throws UserError where it runs in none.
std::vector<Host> allocated_hosts();

/// The full name of one of Slurm's programs. Throws UserError where it is not there.
std::string slurm_program(const std::string& name);

}  // namespace trainmark
