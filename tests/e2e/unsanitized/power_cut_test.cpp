// A power cut at every call that touches the disk: whatever was reported as finished is there when
// the power comes back, and the suite goes on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "e2e/support/program.h"
#include "e2e/unsanitized/faulty_disk.h"
#include "journal/journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

constexpr const char* two_cells_twice =
    "matrix: {workload: clock, framework: clock, size: tiny, batch: [1, 2]}\n"
    "measure: {rule: fixed, steps: 5, skip: 1}\nrounds: 2\n"
    "frameworks: {clock: {arguments: [--step-ms, 1]}}\n";

/// Where the results lie below the root: the folders above are made by the bench, too.
constexpr const char* place = "new/results";

/// The runs that a user has been told of, as far as a log of calls has got. A run is told of once
/// its record was written and the bench does something else.
class ToldRuns {
 public:
  void see(const shim::LogEntry& entry) {
    if (entry.call == shim::Call::write && entry.path.ends_with("/journal.jsonl")) {
      const auto line = std::string_view(entry.data).substr(0, entry.data.find('\n'));
      const auto record = nlohmann::json::parse(record_text(line).value());
      if (record["type"] == "run") written_ = record["id"];
    } else if (entry.call == shim::Call::make_folder ||
               (entry.call == shim::Call::create && entry.path.ends_with(".tmp"))) {
      if (!written_.empty()) told_.insert(written_);
    }
  }

  const std::set<std::string>& told() const { return told_; }

 private:
  std::string written_;
  std::set<std::string> told_;
};

std::map<std::string, std::string> records_in(const fs::path& folder) {
  std::map<std::string, std::string> records;
  if (!has_journal(folder)) return records;
  for (const auto& run : read_journal(folder).runs)
    EXPECT_TRUE(records.emplace(run.id, to_record(run).dump()).second) << run.id << " stands twice";
  return records;
}

class PowerCut : public testing::Test {
 protected:
  PowerCut() {
    fs::create_directory(root_);
    write_text(folder_ / "s.yaml", two_cells_twice);
  }

  Outcome run_in(const fs::path& root, const std::map<std::string, std::string>& variables = {}) {
    return trainmark(
        {"run", (folder_ / "s.yaml").string(), "--out", (root / place).string(), "--resume"},
        variables);
  }

  /// What is told of at this moment is on the disk that is left: the records and the events.
  void expect_told(const fs::path& left, const std::set<std::string>& told) {
    const auto records = records_in(left / place);
    for (const std::string& id : told) {
      ASSERT_TRUE(records.contains(id)) << id << " was lost";
      EXPECT_EQ(records.at(id), truth_.at(id));
      const fs::path events = fs::path("runs") / id / "events.jsonl";
      ASSERT_TRUE(fs::exists(left / place / events)) << id << " has lost its events";
      EXPECT_EQ(read_file(left / place / events, 1 << 20),
                read_file(root_ / place / events, 1 << 20));
    }
  }

  void expect_goes_on(const fs::path& left, const std::set<std::string>& told) {
    const auto before = records_in(left / place);
    if (!before.empty()) {
      const Outcome report = trainmark({"report", (left / place).string()});
      EXPECT_EQ(report.code, 0) << report.errors;
    }
    const Outcome outcome = run_in(left);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    std::set<std::pair<std::string, int>> pairs;
    for (const auto& run : read_journal(left / place).runs)
      EXPECT_TRUE(pairs.emplace(run.cell.key(), run.round).second) << run.id << " counts twice";
    EXPECT_EQ(pairs.size(), 4U);
    const auto after = records_in(left / place);
    for (const auto& [id, record] : before) EXPECT_EQ(after.at(id), record);
    expect_told(left, told);
  }

  const TemporaryFolder folder_;
  const fs::path root_ = folder_ / "disk";
  std::map<std::string, std::string> truth_;
};

TEST_F(PowerCut, AtAnyCallLosesNothingThatWasReported) {
  Disk disk(root_);
  const Outcome whole = run_in(root_, behind_shim(root_, folder_ / "log"));
  ASSERT_EQ(whole.code, 0) << whole.errors;
  truth_ = records_in(root_ / place);
  ASSERT_EQ(truth_.size(), 4U);
  const auto log = read_disk_log(folder_ / "log");
  ASSERT_GT(log.size(), 40U) << "the shim sees too little";

  // Going on takes a second each time: all of them only where there is time for it (make faults).
  const std::size_t resumed = all_faults() ? log.size() * std::size(losses) : 5;
  const std::size_t every = std::max<std::size_t>(1, log.size() * std::size(losses) / resumed);
  std::size_t states = 0;
  ToldRuns runs;
  for (std::size_t i = 0; i < log.size() && !HasFailure(); ++i) {
    disk.apply(log[i]);
    runs.see(log[i]);
    for (const Loss loss : losses) {
      SCOPED_TRACE(fmt::format("cut {} after {} {}, loss {}", i, name_of(log[i].call), log[i].path,
                               static_cast<int>(loss)));
      const fs::path left = folder_ / "left";
      fs::remove_all(left);
      disk.cut_power(loss, left);
      expect_told(left, runs.told());
      if (++states % every == 0) expect_goes_on(left, runs.told());
    }
  }
  EXPECT_EQ(runs.told().size(), 4U);
}

}  // namespace
}  // namespace trainmark::e2e
