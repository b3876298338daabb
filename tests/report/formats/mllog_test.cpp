// What `report --format mllog` writes, held against the rules that MLPerf's compliance checker has
// for every benchmark, and read back by our own dialect.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/files.h"
#include "logs/extract.h"
#include "report/quality_journal.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

using Events = std::vector<nlohmann::json>;

Events events_of(const std::string& text) {
  Events events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    EXPECT_TRUE(line.starts_with(":::MLLOG {")) << line;
    events.push_back(nlohmann::json::parse(line.substr(9)));
  }
  return events;
}

Events with_key(const Events& events, const std::string& key) {
  Events found;
  for (const auto& event : events)
    if (event.at("key") == key) found.push_back(event);
  return found;
}

std::string log_of(bool reached) {
  QualityJournal journal;
  journal.contents.runs = {
      QualityJournal::training(QualityJournal::cell("libtorch:eager"), 120000, 1, reached)};
  return journal.report("mllog");
}

TEST(Mllog, EveryLineHasTheFieldsOfTheFormat) {
  const Events events = events_of(log_of(true));
  ASSERT_FALSE(events.empty());
  double before = 0;
  for (const auto& event : events) {
    EXPECT_EQ(event.size(), 6U) << event;
    for (const char* name : {"namespace", "time_ms", "event_type", "key", "value", "metadata"})
      EXPECT_TRUE(event.contains(name)) << event;
    EXPECT_TRUE(event.at("metadata").contains("file"));
    EXPECT_TRUE(event.at("metadata").contains("lineno"));
    EXPECT_TRUE(event.at("time_ms").is_number_integer());
    EXPECT_GE(event.at("time_ms").get<double>(), before) << event;
    before = event.at("time_ms").get<double>();
  }
}

TEST(Mllog, HasEachRequiredKeyOnce) {
  const Events events = events_of(log_of(true));
  for (const char* key :
       {"submission_benchmark", "submission_org", "submission_division", "submission_status",
        "submission_platform", "cache_clear", "seed", "global_batch_size", "train_samples",
        "eval_samples", "init_start", "init_stop", "run_start", "run_stop"})
    EXPECT_EQ(with_key(events, key).size(), 1U) << key;
  EXPECT_EQ(with_key(events, "submission_division").at(0).at("value"), "open");
  EXPECT_EQ(with_key(events, "train_samples").at(0).at("value"), 60000);
  EXPECT_EQ(with_key(events, "eval_samples").at(0).at("value"), 10000);
  EXPECT_EQ(with_key(events, "global_batch_size").at(0).at("value"), 128);
  EXPECT_EQ(with_key(events, "opt_base_learning_rate").at(0).at("value"), 0.1);
}

TEST(Mllog, HasBlocksAndEvaluationsInOrder) {
  const Events events = events_of(log_of(true));
  const std::map<std::string, std::string> types = {{"block_start", "INTERVAL_START"},
                                                    {"block_stop", "INTERVAL_END"},
                                                    {"eval_start", "INTERVAL_START"},
                                                    {"eval_accuracy", "POINT_IN_TIME"},
                                                    {"eval_stop", "INTERVAL_END"}};
  for (const auto& [key, type] : types) {
    const Events found = with_key(events, key);
    EXPECT_EQ(found.size(), 4U) << key;
    for (const auto& event : found) EXPECT_EQ(event.at("event_type"), type);
  }
  for (const auto& event : with_key(events, "block_start")) {
    EXPECT_GT(event.at("metadata").at("epoch_count"), 0);
    EXPECT_TRUE(event.at("metadata").contains("first_epoch_num"));
  }
  for (const auto& event : with_key(events, "eval_accuracy")) {
    EXPECT_TRUE(event.at("metadata").contains("epoch_num"));
    EXPECT_TRUE(event.at("metadata").contains("samples_count"));
  }
  EXPECT_EQ(with_key(events, "eval_accuracy").back().at("value"), 0.91);
}

/// What submission_benchmark may be in the open division: training_4.0.0/open_common.yaml of
/// MLPerf's compliance checker (github.com/mlcommons/logging).
const std::set<std::string> open_benchmarks = {
    "resnet", "ssd",  "stable_diffusion", "maskrcnn", "gpt3", "dlrm_dcnv2",
    "bert",   "rnnt", "unet3d",           "gnn"};

TEST(Mllog, NamesBenchmarksAsTheRulesetDoes) {
  const auto benchmark_of = [](const std::string& workload) {
    QualityJournal journal;
    Cell cell = QualityJournal::cell("libtorch:eager");
    cell.workload = workload;
    journal.contents.runs = {QualityJournal::training(cell, 120000, 1, true)};
    return with_key(events_of(journal.report("mllog")), "submission_benchmark").at(0);
  };
  for (const char* workload : {"resnet50", "bert"}) {
    const nlohmann::json event = benchmark_of(workload);
    EXPECT_TRUE(open_benchmarks.contains(event.at("value"))) << event;
    EXPECT_EQ(event.at("metadata").at("workload"), workload);
  }
  // It has no such benchmarks: a name of its own would claim what was not trained.
  for (const char* workload :
       {"se_resnext50", "deeplabv3p", "transformer", "cyclegan", "arcface"}) {
    const nlohmann::json event = benchmark_of(workload);
    EXPECT_EQ(event.at("value"), workload);
    EXPECT_FALSE(open_benchmarks.contains(event.at("value"))) << event;
  }
}

TEST(Mllog, SaysWhetherTheTargetWasReached) {
  const auto status = [](bool reached) {
    return with_key(events_of(log_of(reached)), "run_stop").at(0).at("metadata").at("status");
  };
  EXPECT_EQ(status(true), "success");
  EXPECT_EQ(status(false), "aborted");
}

TEST(Mllog, TakesTheTimeOfTrainingAndEvaluations) {
  // 120000 samples at 100/s, and four evaluations of 2 s.
  const Events events = events_of(log_of(true));
  const double begin = with_key(events, "run_start").at(0).at("time_ms").get<double>();
  const double end = with_key(events, "run_stop").at(0).at("time_ms").get<double>();
  EXPECT_DOUBLE_EQ(end - begin, 1000 * (1200 + 8));
}

TEST(Mllog, IsReadBackWithQualityTargetAndTimeToTrain) {
  const TemporaryFolder folder;
  const auto file = folder / "result_0.txt";
  write_file_atomically(file, log_of(true));
  const LogFigure figure = extract_log(file, {});
  EXPECT_EQ(figure.dialect, "mlperf");
  EXPECT_DOUBLE_EQ(figure.quality.at("eval_accuracy"), 0.91);
  EXPECT_DOUBLE_EQ(figure.quality.at("target"), 0.9);
  EXPECT_DOUBLE_EQ(figure.quality.at("time_to_train"), 1208);
  EXPECT_DOUBLE_EQ(figure.quality.at("time_to_target"), 1208);
  EXPECT_NEAR(figure.throughput, 100, 1e-6);
}

TEST(Mllog, OfAJournalWithoutTrainingsSaysSo) {
  SampleJournal journal;
  journal.good(SampleJournal::cell("resnet50", "libtorch:eager"), 100);
  EXPECT_EQ(journal.report("mllog"), "# The journal holds no trainings to quality.\n");
}

}  // namespace
}  // namespace trainmark
