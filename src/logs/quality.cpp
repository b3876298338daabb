#include "logs/quality.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "logs/grammar/duration.h"

namespace trainmark {

namespace {

// No program prints so many; a log that invents others must not fill the memory.
constexpr std::size_t most_names = 64;
constexpr std::size_t longest_name = 60;

constexpr std::array<std::string_view, 18> measures = {
    "loss", "acc",  "iou", "top1", "top5", "ppl", "perplexity", "bpb",  "bleu",
    "wer",  "map5", "/ap", "auc",  "f1",   "epe", "mae",        "psnr", "error"};

bool is_part_of_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '/' || letter == '@' ||
         letter == '-' || letter == '.';
}

bool is_measure(std::string_view name) {
  std::string low(name);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (low.find("scale") != std::string::npos) return false;
  return std::any_of(measures.begin(), measures.end(), [&](std::string_view measure) {
    return low.find(measure) != std::string::npos;
  });
}

/// `52.5`, or the mean in `52.5 (68.5)`.
bool take_value(Cursor& line, double& value) {
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

}  // namespace

void keep_quality(Quality& quality, std::string_view name, double value) {
  const auto found = quality.find(name);
  if (found != quality.end()) {
    found->second = value;
  } else if (quality.size() < most_names) {
    quality.emplace(name, value);
  }
}

void take_quality(std::string_view line, const Dialect& dialect, Quality& quality) {
  for (const auto& [name, key] : dialect.quality) {
    Cursor cursor(line);
    if (!cursor.skip_to(key)) continue;
    double value = 0;
    const bool is_time = name.starts_with("time");
    if (is_time ? take_duration(cursor, value) : take_value(cursor, value))
      keep_quality(quality, name, value);
  }
}

void take_all_quality(std::string_view line, Quality& quality) {
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != ':' && line[at] != '=') continue;
    std::size_t end = at;
    while (end > 0 && line[end - 1] == ' ') --end;
    while (end > 0 && (line[end - 1] == '\'' || line[end - 1] == '"')) --end;
    std::size_t begin = end;
    while (begin > 0 && is_part_of_name(line[begin - 1])) --begin;
    const std::string_view name = line.substr(begin, end - begin);
    if (name.size() < 2 || name.size() > longest_name || !is_measure(name)) continue;
    Cursor cursor(line);
    cursor.move_to(at + 1);
    double value = 0;
    if (take_value(cursor, value)) keep_quality(quality, name, value);
  }
}

}  // namespace trainmark
