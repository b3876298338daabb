#include "logs/grammar/measures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace trainmark {

namespace {

constexpr std::size_t longest_name = 60;
constexpr std::size_t longest_front = 60;  // where a line says what it is of

constexpr std::array<std::string_view, 18> measures = {
    "loss", "acc",  "iou", "top1", "top5", "ppl", "perplexity", "bpb",  "bleu",
    "wer",  "map5", "/ap", "auc",  "f1",   "epe", "mae",        "psnr", "error"};

bool is_part_of_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '/' || letter == '@' ||
         letter == '-' || letter == '.';
}

std::string in_lower_case(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return low;
}

bool is_measure(std::string_view name) {
  const std::string low = in_lower_case(name);
  for (const std::string_view other : {"scale", "mfu", "accum"})
    if (low.find(other) != std::string::npos) return false;
  return std::any_of(measures.begin(), measures.end(), [&](std::string_view measure) {
    return low.find(measure) != std::string::npos;
  });
}

/// The name that ends right before `end`.
std::string_view name_before(std::string_view line, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_part_of_name(line[begin - 1])) --begin;
  return line.substr(begin, end - begin);
}

/// `Loss` and `loss` are one.
void keep_measure(std::string_view name, double value, const QualityKeeper& keep) {
  keep(name == "Loss" ? "loss" : name, value);
}

/// Behind a blank only what says that it is a value: a mean follows in brackets, or a percent sign.
bool take_meter(Cursor& line, double& value) {
  if (!line.number(value)) return false;
  if (line.literal("%")) return true;
  double mean = 0;
  if (!line.literal(" (") || !line.number(mean) || !line.literal(")")) return false;
  value = mean;
  return true;
}

bool is_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const bool begins = at == 0 || std::isalpha(static_cast<unsigned char>(text[at - 1])) == 0;
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || std::isalpha(static_cast<unsigned char>(text[end])) == 0))
      return true;
  }
  return false;
}

bool says_evaluation(std::string_view text) {
  for (const std::string_view word :
       {"test", "val", "valid", "validation", "eval", "evaluation", "validate", "testing"})
    if (is_word(text, word)) return true;
  return false;
}

}  // namespace

bool take_measure(Cursor& line, double& value) {
  line.skip_separators();
  if (!line.literal("'")) line.literal("\"");  // values of some are texts
  if (!line.number(value)) return false;
  const std::size_t before = line.place();
  double mean = 0;
  if (line.literal(" (") && line.number(mean) && line.literal(")")) {
    value = mean;
  } else {
    line.move_to(before);
  }
  return true;
}

void find_measures(std::string_view line, const QualityKeeper& keep) {
  for (std::size_t at = 1; at < line.size(); ++at) {
    const bool sign = line[at] == ':' || line[at] == '=';
    const bool blank = (line[at] == ' ' || line[at] == '\t') && is_part_of_name(line[at - 1]);
    if (!sign && !blank) continue;
    std::size_t end = at;
    if (sign) {
      while (end > 0 && line[end - 1] == ' ') --end;
      while (end > 0 && (line[end - 1] == '\'' || line[end - 1] == '"')) --end;
    }
    const std::string_view name = name_before(line, end);
    if (name.size() < 2 || name.size() > longest_name || !is_measure(name)) continue;
    Cursor cursor(line);
    cursor.move_to(sign ? at + 1 : at);
    double value = 0;
    if (sign ? take_measure(cursor, value) : take_meter(cursor, value))
      keep_measure(name, value, keep);
  }
}

void find_evaluation(std::string_view line, const QualityKeeper& keep) {
  if (!says_evaluation(in_lower_case(line.substr(0, longest_front)))) return;
  find_measures(line, [&](std::string_view name, double value) {
    const std::string low = in_lower_case(name);
    const bool said = low.find("val") != std::string::npos || low.find("test") != std::string::npos;
    keep(said ? std::string(name) : "val_" + std::string(name), value);
  });
}

}  // namespace trainmark
