#include "bench/running_figure.h"

#include <gtest/gtest.h>

#include "measure/simulated_trainer.h"

namespace trainmark {
namespace {

/// A training to quality whose steps and evaluations the test writes.
class Played : public StepSource {
 public:
  void add_steps(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Step& step = steps_.emplace_back();
      step.index = static_cast<std::int64_t>(steps_.size() - 1);
      step.end = 0.1 * static_cast<double>(steps_.size());
      step.seconds = 0.1;
      step.items = 64;
    }
  }

  void evaluate(double quality) {
    Evaluation& evaluation = evaluations_.emplace_back();
    evaluation.step = static_cast<std::int64_t>(steps_.size());
    evaluation.at = steps_.back().end;
    evaluation.quality = quality;
  }

  void forget() { steps_.clear(); }

  void receive(std::size_t, Stream, std::string_view) override {}
  void finish(bool) override {}
  std::size_t count() const override { return steps_.size(); }
  std::vector<Step> steps() const override { return steps_; }
  const QualityTask* quality_task() const override { return &task_; }
  std::size_t evaluation_count() const override { return evaluations_.size(); }
  std::vector<Evaluation> evaluations() const override { return evaluations_; }
  void note_hold(double) override {}
  bool is_broken() const override { return false; }
  Failure judge(const std::vector<RankOutcome>&, const Intervention&, double) const override {
    return {};
  }
  std::optional<std::pair<double, double>> moments(Window) const override { return std::nullopt; }
  void describe(RunRecord&, const std::vector<RankOutcome>&) const override {}

 private:
  QualityTask task_{
      .metric = "top-1 accuracy", .target = 0.9, .epochs = 100, .steps_per_epoch = 100};
  std::vector<Step> steps_;
  std::vector<Evaluation> evaluations_;
};

TEST(RunningFigure, AsksTheRuleAsSoonAsThereIsAnEvaluation) {
  RunningFigure figure(make_rule(quality_rule, {}));
  Played source;
  source.add_steps(200);
  source.evaluate(0.5);
  figure.look(source);
  EXPECT_FALSE(figure.decision().stop);
  source.evaluate(0.95);
  figure.look(source);
  EXPECT_TRUE(figure.decision().stop) << "no step has come since";
  EXPECT_EQ(figure.decision().why, "target");
}

/// What a program prints may turn out to mean fewer and longer steps.
TEST(RunningFigure, AsksTheRuleAgainWhereStepsBecomeFewer) {
  RunningFigure figure(make_rule("fixed", {{"steps", 60}, {"skip", 5}}));
  Played source;
  source.add_steps(50);
  figure.look(source);
  source.forget();
  source.add_steps(4);
  figure.look(source);
  EXPECT_EQ(figure.steps().size(), 4U);
  for (int i = 0; i < 20; ++i) {
    source.add_steps(1);
    figure.look(source);
  }
  EXPECT_GE(figure.steps().size(), 23U) << "at 2 % more steps, or one";
}

}  // namespace
}  // namespace trainmark
