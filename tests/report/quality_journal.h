#pragma once

#include <string>
#include <vector>

#include "report/sample_journal.h"

namespace trainmark {

/// Journals of trainings to quality that are made up: a curve of four evaluations each.
class QualityJournal : public SampleJournal {
 public:
  static Cell cell(const std::string& framework, const std::string& precision = "fp32") {
    Cell cell = SampleJournal::cell("resnet50", framework, 128, "1n1g", precision, "cpu");
    cell.data = "fashion-mnist";
    return cell;
  }

  /// One that needs so many samples, or was given up after them, at `speed` samples/s.
  static RunRecord training(const Cell& cell, double samples, int round, bool reached,
                            double speed = 100) {
    RunRecord run = SampleJournal::run(cell, speed, round);
    run.id += cell.precision;
    run.seed = static_cast<std::uint64_t>(round);
    run.rule = "quality epochs=0 evaluate_every=0 target=0";
    run.seconds = 5 + samples / speed + 8;
    run.trainer["device_name"] = "AMD EPYC";
    run.trainer["data"] = {{"samples", 60000}};
    run.trainer["quality"] = {{"recipe", {{"optimizer", "sgd"}, {"learning_rate", 0.1}}}};
    QualityOutcome quality;
    quality.metric = "top-1 accuracy";
    quality.target = 0.9;
    quality.reached = reached;
    quality.why = reached ? "target" : "cap";
    quality.epochs = 6;
    quality.evaluation_samples = 10000;
    for (int i = 1; i <= 4; ++i) {
      Evaluation evaluation;
      evaluation.step = i;
      evaluation.samples = samples * i / 4;
      evaluation.epoch = evaluation.samples / 60000;
      evaluation.at = evaluation.samples / speed;
      evaluation.seconds = 2;
      evaluation.quality = (reached ? 0.91 : 0.85) - 0.1 * (4 - i);
      evaluation.loss = 1.0 / i;
      quality.curve.push_back(evaluation);
    }
    quality.evaluation_seconds = 8;
    quality.seconds = quality.curve.back().at;
    quality.samples = samples;
    quality.epoch = quality.curve.back().epoch;
    run.quality = quality;
    return run;
  }

  QualityJournal& trained(const Cell& cell, const std::vector<double>& samples,
                          double speed = 100) {
    int round = 0;
    for (const double each : samples)
      contents.runs.push_back(training(cell, each, ++round, true, speed));
    return *this;
  }

  QualityJournal& missed(const Cell& cell, double samples, int round) {
    contents.runs.push_back(training(cell, samples, round, false));
    return *this;
  }
};

}  // namespace trainmark
