#include "logs/grammar/dialect.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

std::function<RecordReader()> stateless(bool (*read)(Cursor& line, Record& record)) {
  return [read] { return RecordReader(read); };
}

const Dialect& dialect_named(const std::string& name) {
  const Dialect* found = Registry<Dialect>::find(name);
  if (found == nullptr) {
    throw UserError(fmt::format("there is no dialect '{}'; {} (see `trainmark list dialects`)",
                                printable(name), suggest(name, Registry<Dialect>::names())));
  }
  return *found;
}

std::string unit_in(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 18> units = {{
      {"images/s", "images/s"},
      {"img/s", "images/s"},
      {"image/s", "images/s"},
      {"imgs/s", "images/s"},
      {"samples/s", "samples/s"},
      {"sample/s", "samples/s"},
      {"sequences/s", "sequences/s"},
      {"seq/s", "sequences/s"},
      {"sentences/s", "sequences/s"},
      {"words/s", "words/s"},
      {"word/s", "words/s"},
      {"tokens/s", "tokens/s"},
      {"token/s", "tokens/s"},
      {"examples/s", "examples/s"},
      {"example/s", "examples/s"},
      {"items/s", "items/s"},
      {"frames/s", "frames/s"},
      {"steps/s", "steps/s"},
  }};
  std::size_t first = std::string_view::npos;
  std::string unit;
  for (const auto& [word, name] : units) {
    const std::size_t found = text.find(word);
    if (found < first) {
      first = found;
      unit = name;
    }
  }
  return unit;
}

}  // namespace trainmark
