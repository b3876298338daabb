#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/cell.h"
#include "base/verdict.h"
#include "journal/proof.h"
#include "measure/quality_outcome.h"
#include "measure/ranks.h"
#include "measure/run_summary.h"

namespace trainmark {

/// The version of what is written; readers refuse a newer one and read every older one.
constexpr int schema_version = 1;
/// Of records whose cell has shapes, and of those whose cell has a data set: a reader that does not
/// know these would take two cells for one.
constexpr int schema_with_shapes = 2;
constexpr int schema_with_data = 3;
constexpr int newest_schema = schema_with_data;

/// One machine of a job whose ranks ran elsewhere than the bench.
struct NodeRecord {
  std::string host;
  std::string environment;              // id of its environment record; empty where it told none
  nlohmann::json instance;              // what tells it from machines of the same kind
  nlohmann::json conditions;            // what it did meanwhile; null where it told nothing
  std::optional<double> watts;          // of its GPUs in use, while the steps that count were done
  std::optional<double> gpu_busy = {};  // mean share of that time in which they had work
  std::optional<double> peak_device_bytes = {};  // the most on one of them, by its driver
};

/// One run of a cell, successful or failed. All that is known of it; the steps themselves lie
/// beside the journal in `folder`/events.jsonl.
struct RunRecord {
  std::string id;  // unique in its journal: "0001-resnet50-r1"
  Cell cell;
  std::string asked;  // the key of the planned cell, where the program's log told more of it
  int round = 1;

  bool ok = false;
  std::string failure;  // one word: timeout, crash, exit, no-events, bad-events, nan-loss, …
  std::string reason;   // the same in a sentence

  std::string started;      // UTC, ISO 8601
  double seconds = 0;       // of the whole run, set-up included
  std::string environment;  // id of the environment record
  std::vector<std::string> command;
  std::map<std::string, std::string> variables;  // what the launcher added to the environment
  std::uint64_t seed = 0;
  std::string folder;  // relative to the journal: logs and events

  std::string unit;        // "images"
  nlohmann::json trainer;  // the trainer's own `start` event: versions, device, parameters, flops
  std::string rule;        // name and values: "adaptive interval=0.005 …"
  RunSummary summary;      // empty where the run failed before it had steps
  RanksSummary ranks;      // of the ranks, where there are several
  std::vector<NodeRecord> nodes;  // the machines, where the ranks ran elsewhere than the bench
  /// Of these machines, by id. They become records of their own.
  std::map<std::string, nlohmann::json> node_environments;
  std::optional<QualityOutcome> quality = {};  // of a training to quality
  std::optional<double> peak_host_bytes;
  std::optional<double> peak_device_bytes;
  std::optional<double>
      joules_per_item;                  // of the GPUs in use, while the steps that count were done
  std::optional<double> gpu_busy = {};  // mean share of that time in which they had work
  nlohmann::json conditions;            // what the machine did meanwhile (environ/conditions)
  Verdicts verdicts;
};

/// A cell that was planned and not measured, and why.
struct SkipRecord {
  Cell cell;
  std::string reason;
};

/// The largest batch or shape that fits, found for a cell whose suite says `max` or `at most`.
struct BatchRecord {
  Cell cell;  // with what was found
  int trials = 0;
  std::string searched = {};        // the name of a shape; else it is the batch
  std::optional<int> at_most = {};  // the batch that the suite would rather have

  /// The cell as it was planned, before the number was found.
  Cell planned() const;
};

/// Runs that took turns, and what their turns gave (measure/turns.h).
struct TurnsRecord {
  std::vector<std::string> runs;            // ids of the members
  std::vector<std::vector<double>> blocks;  // seconds per item of each member; NaN: took no part
  std::string stopped;                      // interval, cap, or ended
  bool converged = false;                   // all ratios are known as well as was asked for
};

/// What was asked for: the first record of every session that wrote into this journal.
struct SuiteRecord {
  std::string name;
  std::string title;
  std::string text;                    // the suite file, without its secrets
  std::vector<std::string> overrides;  // what the command line changed
  std::size_t cells = 0;
  int rounds = 0;
  std::string started;
  std::string trainmark;                  // version and commit
  std::vector<std::string> planned = {};  // the keys of the cells; older journals do not have them
  std::vector<std::string> only = {};     // patterns of the cells that were wanted
};

nlohmann::json to_record(const RunRecord& run);
nlohmann::json to_record(const SkipRecord& skip);
nlohmann::json to_record(const BatchRecord& batch);
nlohmann::json to_record(const TurnsRecord& turns);
nlohmann::json to_record(const SuiteRecord& suite);
nlohmann::json to_record(const Proof& proof);
/// `id` names the environment in run records.
nlohmann::json environment_record(const std::string& id, const nlohmann::json& environment);

void to_json(nlohmann::json& json, const Cell& cell);

/// The name and the content of an environment record.
using EnvironmentRecord = std::pair<std::string, nlohmann::json>;

/// A record that only a newer trainmark can read.
class NewerSchema : public std::invalid_argument {
 public:
  /// `writer`: the version that wrote it, where the record says so.
  NewerSchema(std::size_t schema, std::string writer);

  std::size_t schema() const { return schema_; }
  const std::string& writer() const { return writer_; }

 private:
  std::size_t schema_;
  std::string writer_;
};

/// A record of any kind, read from its text; nothing where its type is one that this version does
/// not know. Throws std::invalid_argument, naming the field that is wrong, and NewerSchema.
using AnyRecord = std::variant<std::monostate, RunRecord, SkipRecord, BatchRecord, TurnsRecord,
                               Proof, SuiteRecord, EnvironmentRecord>;
AnyRecord read_record(std::string_view text);

}  // namespace trainmark
