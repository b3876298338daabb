// Every call that changes the disk fails once: no space, an error of the device, and what network
// file systems do to a rename. A command then says what it could not write, or goes on; nothing
// that was there is lost; and the same command works when the disk does.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

#include "base/files.h"
#include "e2e/support/program.h"
#include "e2e/unsanitized/faulty_disk.h"
#include "journal/journal.h"
#include "report/sample_journal.h"

namespace trainmark::e2e {
namespace {

namespace fs = std::filesystem;

/// Every file below a folder, by its path in it.
std::map<std::string, std::string> files_below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] = read_file(entry.path(), SIZE_MAX);
  }
  return files;
}

struct Failing {
  DiskFault fault;
  bool renames_only = false;
};

/// What is tried at every call.
std::vector<Failing> failures() {
  return {{{0, ENOSPC, "onwards"}},
          {{0, EIO, "once"}},
          {{0, EXDEV, "once"}, true},
          {{0, ESTALE, "once"}, true},
          {{0, EIO, "done"}, true}};
}

std::string fault_text(const DiskFault& fault) {
  return fmt::format("call {}: {}, {}", fault.call, strerrorname_np(fault.error), fault.manner);
}

class DiskFaults : public testing::Test {
 protected:
  DiskFaults() { write_text(folder_ / "s.yaml", suite); }

  static constexpr const char* suite =
      "matrix: {workload: clock, framework: clock, size: tiny}\n"
      "measure: {rule: fixed, steps: 5, skip: 1}\nrounds: 2\n"
      "frameworks: {clock: {arguments: [--step-ms, 1]}}\n";

  std::vector<std::string> run_into(const fs::path& folder) const {
    return {"run", (folder_ / "s.yaml").string(), "--out", folder.string(), "--resume"};
  }

  fs::path fresh_root() const {
    const fs::path root = folder_ / "disk";
    fs::remove_all(root);
    fs::create_directory(root);
    return root;
  }

  std::vector<shim::LogEntry> take_log() const {
    auto log = read_disk_log(folder_ / "log");
    fs::remove(folder_ / "log");
    return log;
  }

  /// Calls `try_one` with a fault at every `step`-th call of a log.
  template <typename Try>
  static void fail_each(const std::vector<shim::LogEntry>& log, std::size_t step, Try try_one) {
    std::size_t offset = 0;
    for (Failing failing : failures()) {
      std::size_t seen = offset++;
      for (std::size_t i = 0; i < log.size() && !HasFailure(); ++i) {
        if (failing.renames_only && log[i].call != shim::Call::rename) continue;
        if (seen++ % step != 0) continue;
        failing.fault.call = static_cast<long>(i) + 1;
        SCOPED_TRACE(fmt::format("{} ({} {})", fault_text(failing.fault), name_of(log[i].call),
                                 log[i].path));
        try_one(failing.fault);
      }
    }
  }

  const TemporaryFolder folder_;
};

/// The rounds whose end was shown: "[1/2] clock… round 1: …".
std::set<int> shown_rounds(const std::string& progress) {
  std::set<int> rounds;
  for (std::size_t at = 0; (at = progress.find("] clock", at)) != std::string::npos; ++at) {
    const std::size_t word = progress.find(" round ", at);
    if (word != std::string::npos) rounds.insert(std::atoi(progress.c_str() + word + 7));
  }
  return rounds;
}

TEST_F(DiskFaults, OfARunAreSaidAndLoseNothing) {
  fs::path root = fresh_root();
  ASSERT_EQ(trainmark(run_into(root / "new" / "results"), behind_shim(root, folder_ / "log")).code,
            0);
  const auto log = take_log();
  ASSERT_GT(log.size(), 30U);
  fail_each(log, all_faults() ? 1 : 13, [&](const DiskFault& fault) {
    root = fresh_root();
    const fs::path results = root / "new" / "results";
    const Outcome outcome = trainmark(run_into(results), behind_shim(root, folder_ / "log", fault));
    const auto seen = take_log();
    const bool failed =
        std::any_of(seen.begin(), seen.end(), [](const auto& entry) { return entry.failed; });
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << outcome.code << "\n" << outcome.errors;
    if (outcome.code == 1) {
      EXPECT_TRUE(failed) << outcome.errors;
      EXPECT_NE(outcome.errors.find(results.parent_path().string()), std::string::npos)
          << "it does not say which file: " << outcome.errors;
    }
    std::set<int> kept;
    std::map<std::string, std::string> before;
    if (has_journal(results)) {
      for (const auto& run : read_journal(results).runs) {
        kept.insert(run.round);
        before[run.id] = to_record(run).dump();
      }
    }
    for (const int round : shown_rounds(outcome.errors))
      EXPECT_TRUE(kept.contains(round)) << "round " << round << " was lost";

    const Outcome again = trainmark(run_into(results));
    EXPECT_EQ(again.code, 0) << again.errors;
    const JournalContents contents = read_journal(results);
    EXPECT_TRUE(contents.damage.empty()) << contents.damage.front();
    std::set<int> rounds;
    for (const auto& run : contents.runs) {
      EXPECT_TRUE(rounds.insert(run.round).second) << "round " << run.round << " counts twice";
      if (before.contains(run.id)) {
        EXPECT_EQ(to_record(run).dump(), before.at(run.id));
      }
    }
    EXPECT_EQ(rounds, (std::set<int>{1, 2}));
    EXPECT_TRUE(fs::exists(results / "report.html"));
  });
}

/// A command that writes a file, and what it needs on the disk before.
struct WritingCommand {
  const char* name;
  std::vector<std::string> words;  // @ stands for the root
  const char* output;              // "" where it adds to a journal or only reads

  friend void PrintTo(const WritingCommand& it, std::ostream* out) { *out << it.name; }
};

class DiskFaultsOf : public DiskFaults, public testing::WithParamInterface<WritingCommand> {
 protected:
  static std::vector<std::string> words_in(const fs::path& root) {
    std::vector<std::string> words = GetParam().words;
    for (std::string& word : words)
      if (word.starts_with("@")) word = root.string() + word.substr(1);
    return words;
  }

  const fs::file_time_type written_ = fs::file_time_type::clock::now();

  void fill(const fs::path& root) const {
    fs::copy(folder_ / "prepared", root, fs::copy_options::recursive);
    // A bundle has the time of its journal.
    fs::last_write_time(root / "a" / "journal.jsonl", written_);
  }

  static void write_journal(const fs::path& folder, double throughput) {
    SampleJournal sample;
    sample.suite("sample", "name: sample\n")
        .good(SampleJournal::cell("resnet50", "libtorch:eager"), throughput)
        .good(SampleJournal::cell("resnet50", "pytorch:eager"), 0.9 * throughput);
    Journal journal(folder);
    journal.append(to_record(sample.contents.suites.front()));
    for (const RunRecord& run : sample.contents.runs) {
      journal.append(to_record(run));
      fs::create_directories(folder / run.folder);
      write_text(folder / run.folder / "stdout.log", "what it printed\n");
    }
  }

  /// Two journals, a torn one, a bundle, a log, a table of published figures, an old report.
  void prepare() const {
    const fs::path place = folder_ / "prepared";
    fs::create_directory(place);
    write_journal(place / "a", 1000);
    write_journal(place / "b", 1100);
    const std::string bundle = (place / "a.tar.zst").string();
    ASSERT_EQ(trainmark({"report", (place / "a").string(), "--bundle", bundle}).code, 0);
    std::string events;
    for (int step = 0; step < 30; ++step)
      events +=
          fmt::format("{{\"event\":\"step\",\"step\":{},\"end\":{},\"seconds\":0.5,\"items\":8}}\n",
                      step, 10 + 0.5 * step);
    write_text(place / "events.jsonl", events);
    write_text(place / "published.csv",
               "workload,framework,precision,batch,throughput,unit,source\n"
               "resnet50,pytorch,fp32,32,1500,images,somewhere\n"
               "bert,pytorch,fp16,8,300,sequences,elsewhere\n");
    fs::create_directory(place / "torn");
    write_text(place / "torn" / "journal.jsonl",
               read_file(place / "a" / "journal.jsonl", SIZE_MAX) + "{\"crc\":\"half of a record");
    write_text(place / "old.md", "the report of before");
    fs::create_directory(place / "tmp");
  }
};

TEST_P(DiskFaultsOf, AreSaidAndLeaveTheOldOrTheNew) {
  prepare();
  if (HasFatalFailure()) return;
  const auto variables = [&](const fs::path& root, const DiskFault& fault) {
    auto all = behind_shim(root, folder_ / "log", fault);
    all["TMPDIR"] = (root / "tmp").string();
    return all;
  };
  fs::path root = fresh_root();
  fill(root);
  const auto before = files_below(root);
  const Outcome well = trainmark(words_in(root), variables(root, {}));
  ASSERT_EQ(well.code, 0) << well.errors;
  const auto truth = files_below(root);
  const auto log = take_log();
  ASSERT_GE(log.size(), 3U);
  const std::string output = GetParam().output;

  fail_each(log, all_faults() ? 1 : 3, [&](const DiskFault& fault) {
    root = fresh_root();
    fill(root);
    const Outcome outcome = trainmark(words_in(root), variables(root, fault));
    const auto seen = take_log();
    const auto failed = std::find_if(seen.begin(), seen.end(), [](auto& it) { return it.failed; });
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << outcome.code << "\n" << outcome.errors;
    if (outcome.code == 1) {
      EXPECT_NE(outcome.errors.find(root.string()), std::string::npos)
          << "it does not say which file: " << outcome.errors;
    }
    const auto after = files_below(root);
    for (const auto& [path, bytes] : before) {
      if (path == output) {
        EXPECT_TRUE(after.at(path) == bytes || after.at(path) == truth.at(path))
            << path << " is neither the old one nor the new";
      } else if (!path.ends_with("journal.jsonl")) {
        EXPECT_TRUE(after.at(path) == bytes) << path << " has changed";
      } else {
        const std::string records = bytes.substr(0, bytes.rfind('\n') + 1);
        EXPECT_TRUE(after.at(path).starts_with(records)) << path << " has lost records";
      }
    }
    const bool could_remove = failed == seen.end() || failed->call != shim::Call::remove;
    for (const auto& [path, bytes] : after)
      EXPECT_TRUE(truth.contains(path) || !could_remove) << path << " was left behind";
    if (outcome.code == 0 && !output.empty()) {
      EXPECT_TRUE(after.at(output) == truth.at(output)) << output << " is not whole";
    }

    const Outcome again = trainmark(words_in(root), {{"TMPDIR", (root / "tmp").string()}});
    EXPECT_EQ(again.code, 0) << again.errors;
    if (!output.empty()) {
      EXPECT_TRUE(files_below(root).at(output) == truth.at(output)) << output << " differs";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(
    Commands, DiskFaultsOf,
    testing::Values(
        WritingCommand{
            "report", {"report", "@/a", "--format", "md", "--out", "@/old.md"}, "old.md"},
        WritingCommand{
            "page", {"report", "@/a", "--format", "html", "--out", "@/new.html"}, "new.html"},
        WritingCommand{"bundle", {"report", "@/a", "--bundle", "@/new.tar.zst"}, "new.tar.zst"},
        WritingCommand{"unpacking", {"report", "@/a.tar.zst"}, ""},
        WritingCommand{"compare",
                       {"compare", "@/a", "@/b", "--format", "html", "--out", "@/new.html"},
                       "new.html"},
        WritingCommand{
            "history", {"history", "@/a", "@/b", "--format", "md", "--out", "@/old.md"}, "old.md"},
        WritingCommand{
            "extract", {"extract", "@/events.jsonl", "--save", "@/new.json"}, "new.json"},
        WritingCommand{"extract_into", {"extract", "@/events.jsonl", "--into", "@/c"}, ""},
        WritingCommand{"import_torn", {"import", "@/published.csv", "--into", "@/torn"}, ""},
        WritingCommand{"import", {"import", "@/published.csv", "--into", "@/c"}, ""}),
    [](const auto& input) { return std::string(input.param.name); });

}  // namespace
}  // namespace trainmark::e2e
