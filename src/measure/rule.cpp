#include "measure/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/text.h"

namespace trainmark {

RuleValues complete(const RuleKind& kind, const RuleValues& given) {
  RuleValues values;
  std::vector<std::string> known;
  for (const RuleParameter& parameter : kind.parameters) {
    values.emplace(parameter.name, parameter.value);
    known.push_back(parameter.name);
  }
  for (const auto& [name, value] : given) {
    const auto parameter = std::ranges::find(kind.parameters, name, &RuleParameter::name);
    if (parameter == kind.parameters.end()) {
      throw std::invalid_argument(
          fmt::format("the rule has no parameter '{}'; {}", name, suggest(name, known)));
    }
    // Written so that NaN is out of range, too.
    if (!(value >= parameter->least && value <= parameter->most)) {
      throw std::invalid_argument(fmt::format("{} = {} is out of range: {} to {} ({})", name, value,
                                              parameter->least, parameter->most,
                                              parameter->meaning));
    }
    values[name] = value;
  }
  return values;
}

}  // namespace trainmark
