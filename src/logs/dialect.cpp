#include "logs/dialect.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

std::function<RecordReader()> stateless(bool (*read)(Cursor& line, Record& record)) {
  return [read] { return RecordReader(read); };
}

bool begin_record(Cursor& line, Record& record, std::string_view key) {
  const std::size_t found = line.find(key);
  if (found == std::string_view::npos) return false;
  record.begin = static_cast<std::uint32_t>(found);
  line.move_to(found + key.size());
  return true;
}

void take_loss(Cursor& line, Record& record, std::string_view key) {
  const std::size_t before = line.place();
  if (!line.skip_to(key) || !line.loss(record.loss)) {
    line.move_to(before);
    return;
  }
  record.has_loss = true;
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
