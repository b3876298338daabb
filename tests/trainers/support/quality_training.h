#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "temporary_folder.h"
#include "trainers/support/data_sets.h"
#include "trainers/support/program.h"

// Trainings to quality on small data sets, for tests of the built program.

namespace trainmark::test {

using Words = std::vector<std::string>;

/// A workload of each kind of data, with the format of a set to train and one to evaluate it on.
struct QualityCase {
  std::string workload;
  std::string format;
  std::string kind;
  int batch = 4;
};

/// The sets of a case, made in a folder, and the command lines that train on them.
class QualityTraining {
 public:
  explicit QualityTraining(QualityCase of_case, int items = 24, int evaluation_items = 10)
      : case_(std::move(of_case)) {
    make_data_set(folder_ / "training", case_.format, case_.kind, items);
    make_data_set(folder_ / "evaluation", case_.format, case_.kind, evaluation_items);
  }

  /// `more` may name options that are among the usual ones: then it counts.
  Words words(const Words& more = {}) const {
    Words words = {"trainmark-train", "--workload", case_.workload, "--size", "tiny", "--quality"};
    const std::vector<std::pair<std::string, std::string>> usual = {
        {"--batch", std::to_string(case_.batch)},
        {"--workers", "2"},
        {"--data", path("training")},
        {"--evaluation-data", path("evaluation")}};
    for (const auto& [option, value] : usual) {
      if (std::find(more.begin(), more.end(), option) != more.end()) continue;
      words.insert(words.end(), {option, value});
    }
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  QualityCase case_;
  TemporaryFolder folder_;
};

/// resnet50 with six steps per epoch, evaluated on ten pictures.
inline const QualityTraining& on_pictures() {
  static const QualityTraining training({"resnet50", "imagefolder", data::kind::labelled_images});
  return training;
}

/// What a training was like, by optimizer steps: the losses of its steps and of its evaluations,
/// and the qualities. Whoever goes on from a checkpoint adds to it, and must not contradict.
struct Curve {
  std::map<std::int64_t, double> losses;
  std::map<std::int64_t, nlohmann::json> evaluations;  // quality, loss, samples, epoch

  bool operator==(const Curve&) const = default;
};

/// Adds what a program has told so far.
inline void add_to(Curve& curve, const Program& program) {
  const auto of_training = [](const nlohmann::json& evaluation) {
    nlohmann::json told = evaluation;
    for (const char* of_time : {"event", "end", "seconds", "at"}) told.erase(of_time);
    return told;
  };
  std::int64_t before = 0;
  for (const nlohmann::json& start : program.events("start")) {
    const nlohmann::json& quality = start.at("quality");
    if (!quality.contains("resumed")) continue;
    before = quality.at("resumed").at("step");
    for (const nlohmann::json& past : quality.at("resumed").at("evaluations")) {
      EXPECT_EQ(curve.evaluations[past.at("step")], of_training(past));
    }
  }
  const auto add = [](auto& all, std::int64_t step, const auto& value) {
    const auto [entry, is_new] = all.emplace(step, value);
    if (is_new) return;
    EXPECT_EQ(entry->second, value) << "step " << step;
  };
  for (const nlohmann::json& step : program.events("step")) {
    add(curve.losses, before + step.at("step").get<std::int64_t>(), step.at("loss").get<double>());
  }
  for (const nlohmann::json& evaluation : program.events("evaluation")) {
    add(curve.evaluations, evaluation.at("step").get<std::int64_t>(), of_training(evaluation));
  }
}

inline Curve curve_of(const Program& program) {
  Curve curve;
  add_to(curve, program);
  return curve;
}

}  // namespace trainmark::test
