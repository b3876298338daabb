#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/cell.h"

namespace trainmark {

/// A whole suite as one job: the bench itself runs on its first node, and starts the runs from
/// there.
struct SuiteJob {
  std::string name;
  Scale scale;                         // the most nodes, and the most ranks of a node
  std::vector<std::string> arguments;  // for the scheduler, such as --partition=gpu
  std::string folder;                  // where the bench is started
  std::string log;                     // what it prints
  std::vector<std::string> command;    // of the bench
};

/// A job that was handed to a scheduler, followed until it has ended.
class Submission {
 public:
  virtual ~Submission() = default;

  /// Lets up to `seconds` pass. False once the job has ended. Throws UserError where the scheduler
  /// refuses the job.
  virtual bool wait(double seconds) = 0;

  /// The job is no longer wanted. Calling it again does nothing.
  virtual void cancel() = 0;

  /// Once `wait` has returned false.
  virtual bool ended_well() const = 0;
};

/// What hands out the machines of a cluster.
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  /// The script that asks for the job. Throws UserError for an argument that cannot stand in one.
  virtual std::string script(const SuiteJob& job) const = 0;

  /// Submits a script that was written to a file; `say` gets what people should know of the job.
  virtual std::unique_ptr<Submission> submit(
      const std::filesystem::path& script_file,
      std::function<void(const std::string& line)> say) const = 0;
};

}  // namespace trainmark
