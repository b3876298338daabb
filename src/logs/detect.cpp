#include "logs/detect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "logs/generic/field_words.h"
#include "logs/grammar/dialect.h"

namespace trainmark {

namespace {

// So many records of one dialect are no accident.
constexpr std::size_t enough_records = 32;
// A library prints about as much as the program that uses it, which knows more: one record of the
// program's for so many of the library's decides for the program.
constexpr std::size_t records_of_library = 4;

// Of lines alike, so many are tried before the rest is passed over.
constexpr std::uint32_t barren_after = 500;
constexpr std::size_t most_kinds = 4096;
constexpr std::size_t longest_kind = 400;  // letters

/// By the letters of the line; numbers and signs differ from line to line.
std::uint64_t kind_of_line(std::string_view line) {
  std::uint64_t kind = hash_begin;
  for (const char letter : line.substr(0, longest_kind))
    if (letter >= 'A') kind = mixed(kind, static_cast<unsigned char>(letter));
  return kind;
}

std::size_t weight_of(const Detection::Candidate& candidate) {
  const bool library = dialect_named(candidate.name).of_library;
  return library ? candidate.records : candidate.records * records_of_library;
}

bool is_described(const std::string& name) {
  const Dialect* dialect = Registry<Dialect>::find(name);
  return dialect != nullptr && !dialect->file.empty();
}

bool before(const Detection::Candidate& left, const Detection::Candidate& right) {
  const std::size_t left_weight = weight_of(left);
  const std::size_t right_weight = weight_of(right);
  if (left_weight != right_weight) return left_weight > right_weight;
  // Who describes a dialect wants it to be used.
  return is_described(left.name) && !is_described(right.name);
}

/// The letters around which a dialect's sample is built: `batch_cost`, `ips`, `Iteration`.
std::vector<std::string> words_of(const std::string& sample) {
  std::vector<std::string> words;
  std::string word;
  for (const char letter : sample + " ") {
    const bool part = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      letter == '_' || letter == '/';
    if (part) word += letter;
    if (!part || word.size() > 40) {
      if (word.size() >= 3) words.push_back(word);
      word.clear();
    }
  }
  return words;
}

}  // namespace

DialectDetector::DialectDetector() {
  for (const auto& [name, dialect] : Registry<Dialect>::all())
    trials_.push_back({name, dialect.reader(), dialect.of_library, dialect.is_mark});
}

bool DialectDetector::Barren::is_known(std::uint64_t kind) const {
  const auto found = unread_.find(kind);
  return found != unread_.end() && found->second >= barren_after;
}

void DialectDetector::Barren::note(std::uint64_t kind, bool read) {
  if (unread_.size() >= most_kinds && !unread_.contains(kind)) return;
  std::uint32_t& times = unread_[kind];
  times = read ? 0 : times + 1;
}

void DialectDetector::look(std::string_view line) {
  const std::uint64_t kind = kind_of_line(line);
  if (barren_.is_known(kind)) return;
  bool read = false;
  for (Trial& trial : trials_) {
    if (trial.is_mark != nullptr && trial.is_mark(line)) trial.is_mark = nullptr;
    Cursor cursor(line);
    for (Record record; trial.read(cursor, record); record = Record()) {
      ++trial.records;
      read = true;
    }
    if (trial.counts()) records_ = std::max(records_, trial.records);
  }
  barren_.note(kind, read);
}

bool DialectDetector::is_sure(std::size_t enough) const {
  return std::any_of(trials_.begin(), trials_.end(), [&](const Trial& trial) {
    return trial.counts() && trial.records >= (trial.of_library ? records_of_library : 1) * enough;
  });
}

Detection DialectDetector::result() const {
  Detection detection;
  for (const Trial& trial : trials_)
    if (trial.counts()) detection.candidates.push_back({trial.name, trial.records});
  std::stable_sort(detection.candidates.begin(), detection.candidates.end(), before);
  return detection;
}

Detection detect_dialect(LineReader& lines) {
  DialectDetector detector;
  std::string_view line;
  while (!detector.is_sure(enough_records) && lines.next(line)) detector.look(line);
  return detector.result();
}

std::string unknown_dialect_advice(LineReader& lines) {
  std::map<std::string, std::vector<std::string>> words;
  for (const auto& [name, dialect] : Registry<Dialect>::all())
    words[name] = words_of(dialect.sample);
  // The line that has most of a dialect's words says how near that dialect is.
  std::map<std::string, double> nearness;
  std::string_view line;
  for (int count = 0; count < 20'000 && lines.next(line); ++count) {
    const std::string_view front = line.substr(0, 1000);
    for (const auto& [name, list] : words) {
      const auto hits = std::count_if(list.begin(), list.end(), [&](const std::string& word) {
        return front.find(word) != std::string_view::npos;
      });
      double& best = nearness[name];
      best = std::max(best, static_cast<double>(hits) / static_cast<double>(list.size()));
    }
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, share] : nearness) order.emplace_back(-share, name);
  std::sort(order.begin(), order.end());
  std::vector<std::string> nearest;
  for (const auto& [share, name] : order)
    if (nearest.size() < 3 && share <= -0.3) nearest.push_back(name);
  return fmt::format(
      "no dialect finds a record in it{}. Choose one with --dialect NAME (`trainmark list "
      "dialects` "
      "shows them), or describe its lines: --pattern 'step (?P<step>\\d+) .*speed "
      "(?P<rate>[\\d.]+)', "
      "with groups named step, epoch, rate, time, items, loss or rank",
      nearest.empty() ? "" : "; the nearest are " + join(nearest, ", "));
}

}  // namespace trainmark
