#include "bench/measuring.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

template <class Kind>
const Kind& known(const Placed<std::string>& name, const char* what) {
  const Kind* kind = Registry<Kind>::find(name.value);
  if (kind == nullptr) {
    fail_at(name.place, fmt::format("unknown {} '{}'; {}", what, printable(name.value),
                                    suggest(name.value, Registry<Kind>::names())));
  }
  return *kind;
}

/// Where values contradict each other, the place of the one that the message names first.
Place place_of_fault(const Suite& suite, std::string_view message) {
  Place place = suite.rule.place;
  std::size_t first = std::string_view::npos;
  for (const auto& [name, value] : suite.rule_values) {
    const std::size_t at = message.find(name + " =");
    if (at >= first) continue;
    first = at;
    place = value.place;
  }
  return place;
}

RuleValues checked_values(const Suite& suite, const RuleKind& kind) {
  std::vector<std::string> names = {"rule"};
  for (const auto& parameter : kind.parameters) names.push_back(parameter.name);
  RuleValues given;
  for (const auto& [name, value] : suite.rule_values) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      fail_at(value.place, fmt::format("the rule '{}' has no '{}'; {}", suite.rule.value,
                                       printable(name), suggest(name, names)));
    }
    given[name] = value.value;
    try {
      complete(kind, {{name, value.value}});
    } catch (const std::invalid_argument& error) {
      fail_at(value.place, error.what());
    }
  }
  RuleValues values = complete(kind, given);
  try {
    kind.make(values);
  } catch (const std::invalid_argument& error) {
    fail_at(place_of_fault(suite, error.what()), error.what());
  }
  return values;
}

}  // namespace

std::string Measuring::rule_text() const {
  std::string text = rule;
  for (const auto& [name, value] : values) text += fmt::format(" {}={}", name, value);
  return text;
}

std::optional<QualityArguments> Measuring::quality() const {
  if (!kind->trains_to_quality) return std::nullopt;
  return QualityArguments{.epochs = values.at("epochs"),
                          .evaluate_every = values.at("evaluate_every")};
}

Measuring settle_measuring(const Suite& suite) {
  Measuring measuring;
  measuring.rule = suite.rule.value;
  measuring.kind = &known<RuleKind>(suite.rule, "rule");
  measuring.values = checked_values(suite, *measuring.kind);
  measuring.rounds = suite.rounds.value_or(measuring.kind->rounds);
  measuring.launcher_name = suite.launcher.value;
  measuring.launcher = known<LauncherKind>(suite.launcher, "launcher").make();
  measuring.time_limit = suite.run_limit();
  measuring.seed = suite.seed;
  return measuring;
}

Measuring with_fixed_steps(Measuring measuring, int steps, int skip) {
  measuring.rule = "fixed";
  measuring.kind = Registry<RuleKind>::find(measuring.rule);
  TRAINMARK_ASSERT(measuring.kind != nullptr);
  measuring.values = complete(*measuring.kind, {{"steps", steps}, {"skip", skip}});
  return measuring;
}

Measuring alone(Measuring measuring) {
  const RuleValues turns = std::move(measuring.values);
  measuring.rule = "adaptive";
  measuring.kind = Registry<RuleKind>::find(measuring.rule);
  TRAINMARK_ASSERT(measuring.kind != nullptr);
  measuring.values = complete(*measuring.kind, {{"interval", turns.at("interval")},
                                                {"max_seconds", turns.at("max_seconds")},
                                                {"max_steps", turns.at("max_steps")}});
  return measuring;
}

}  // namespace trainmark
