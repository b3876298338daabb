#include "logs/grammar/pattern_dialect.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <charconv>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

using GroupSetter = void (*)(Record& record, double value);

std::int64_t as_whole(double value) {
  return value >= 0 && value < 1e15 ? static_cast<std::int64_t>(value) : -1;
}

const std::map<std::string, GroupSetter>& groups() {
  static const std::map<std::string, GroupSetter> all = {
      {"step", [](Record& record, double value) { record.step = as_whole(value); }},
      {"epoch", [](Record& record, double value) { record.epoch = as_whole(value); }},
      {"rate", [](Record& record, double value) { record.rate = value; }},
      {"time", [](Record& record, double value) { record.seconds = value; }},
      {"items", [](Record& record, double value) { record.items = value; }},
      {"rank", [](Record& record,
                  double value) { record.rank = static_cast<int>(as_whole(value) % 1000000); }},
      {"loss", [](Record& record, double value) {
         record.loss = value;
         record.has_loss = true;
       }}};
  return all;
}

std::vector<std::string> group_names() {
  std::vector<std::string> names;
  for (const auto& [name, setter] : groups()) names.push_back(name);
  return names;
}

class PatternReader {
 public:
  explicit PatternReader(std::shared_ptr<const re2::RE2> expression)
      : expression_(std::move(expression)),
        found_(static_cast<std::size_t>(expression_->NumberOfCapturingGroups()) + 1) {
    for (const auto& [name, place] : expression_->NamedCapturingGroups())
      setters_.emplace_back(static_cast<std::size_t>(place), groups().at(name));
  }

  bool operator()(Cursor& line, Record& record) {
    const re2::StringPiece text(line.line().data(), line.line().size());
    if (!expression_->Match(text, line.place(), text.size(), re2::RE2::UNANCHORED, found_.data(),
                            static_cast<int>(found_.size()))) {
      return false;
    }
    const re2::StringPiece& whole = found_.front();
    const auto begin = static_cast<std::size_t>(whole.data() - text.data());
    record.begin = static_cast<std::uint32_t>(begin);
    // A match of nothing would be found again and again.
    line.move_to(begin + whole.size() + (whole.empty() ? 1 : 0));
    bool any = false;
    for (const auto& [place, set] : setters_) {
      double value = 0;
      if (!Cursor({found_[place].data(), found_[place].size()}).loss(value)) continue;
      set(record, value);
      any = true;
    }
    return any && !whole.empty();
  }

 private:
  std::shared_ptr<const re2::RE2> expression_;
  std::vector<re2::StringPiece> found_;
  std::vector<std::pair<std::size_t, GroupSetter>> setters_;
};

[[noreturn]] void refuse(const std::string& why) {
  throw UserError(fmt::format(
      "--pattern: {}; write an expression such as 'step (?P<step>\\d+).*speed (?P<rate>[\\d.]+)'",
      why));
}

void check_groups(const re2::RE2& expression) {
  const auto& named = expression.NamedCapturingGroups();
  for (const auto& [name, place] : named) {
    if (groups().contains(name)) continue;
    refuse(
        fmt::format("there is no group '{}'; {}", printable(name), suggest(name, group_names())));
  }
  if (!named.contains("rate") && !named.contains("time"))
    refuse("it needs a group named rate (items per second) or time (seconds of a step)");
}

}  // namespace

Dialect pattern_dialect(const std::string& expression, Scope scope) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(16 << 20);
  const auto compiled = std::make_shared<const re2::RE2>(expression, options);
  if (!compiled->ok()) refuse(printable(compiled->error()));
  check_groups(*compiled);
  Dialect dialect;
  dialect.summary = "described by --pattern";
  dialect.scope = scope;
  dialect.unit = "items/s";
  dialect.field = "rate";
  dialect.reader = [compiled] { return RecordReader(PatternReader(compiled)); };
  return dialect;
}

Scope parse_scope(const std::string& name) {
  for (const Scope scope : {Scope::rank, Scope::node, Scope::job})
    if (name == text(scope)) return scope;
  throw UserError(fmt::format("unknown scope '{}'; write rank, node or job", printable(name)));
}

}  // namespace trainmark
