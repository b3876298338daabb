#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "measure/rule.h"

// So many steps, the first of them dropped: how most published tables were made, offered so that
// they can be made again.

namespace trainmark {

namespace {

class Fixed : public StoppingRule {
 public:
  Fixed(std::size_t steps, std::size_t skip) : steps_(steps), skip_(skip) {
    if (skip >= steps) {
      throw std::invalid_argument(
          fmt::format("skip = {} leaves nothing of steps = {}; write a smaller skip", skip, steps));
    }
  }

  Decision decide(std::span<const Step> steps) override {
    if (steps.size() < steps_) return {};
    return {.stop = true, .why = "fixed", .converged = true};
  }

  Window window(std::span<const Step> steps) const override {
    const std::size_t last = std::min(steps_, steps.size());
    return {std::min(skip_, last), last};
  }

  std::size_t most_steps() const override { return steps_; }

 private:
  std::size_t steps_;
  std::size_t skip_;
};

const Registration<RuleKind> registered(
    "fixed", {.summary = "a fixed number of steps, dropping the first ones",
              .rounds = 5,
              .parameters = {{"steps", 150, 2, 1e7, "number of steps, including the dropped ones"},
                             {"skip", 50, 0, 1e7, "number of steps dropped at the start"}},
              .make = [](const RuleValues& values) -> std::unique_ptr<StoppingRule> {
                return std::make_unique<Fixed>(static_cast<std::size_t>(values.at("steps")),
                                               static_cast<std::size_t>(values.at("skip")));
              }});

}  // namespace

}  // namespace trainmark
