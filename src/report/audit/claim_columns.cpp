#include "report/audit/claim_columns.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/cell.h"
#include "base/step.h"
#include "base/text.h"

namespace trainmark {

namespace {

/// Letters alone, small: "Batch Size (per GPU)" and "batch_size_per_gpu" are the same.
std::string plain_heading(std::string_view heading) {
  std::string plain;
  for (const char letter : heading) {
    const bool big = letter >= 'A' && letter <= 'Z';
    const bool small = letter >= 'a' && letter <= 'z';
    const bool beyond_ascii = static_cast<unsigned char>(letter) >= 0x80;
    if (big) plain += static_cast<char>(letter - 'A' + 'a');
    if (small || beyond_ascii) plain += letter;
  }
  return plain;
}

const std::map<ClaimField, std::vector<std::string>>& headings() {
  static const std::map<ClaimField, std::vector<std::string>> all = {
      {ClaimField::log, {"log", "file", "path", "logfile", "logs", "日志"}},
      {ClaimField::published,
       {"published", "figure", "throughput", "claimed", "reported", "speed", "ips", "value", "吞吐",
        "吞吐率", "吞吐量", "速度"}},
      {ClaimField::unit, {"unit", "units", "单位"}},
      {ClaimField::gpus,
       {"gpus", "gpu", "numgpus", "gpucount", "devices", "cards", "worldsize", "卡数"}},
      {ClaimField::nodes, {"nodes", "numnodes", "machines", "节点数", "机器数"}},
      {ClaimField::scale, {"scale", "case", "runcase"}},
      {ClaimField::batch,
       {"batch", "batchsize", "bs", "batchsizepergpu", "batchpergpu", "batchsizeperdevice",
        "批大小"}},
      {ClaimField::global_batch, {"globalbatch", "globalbatchsize", "totalbatchsize"}},
      {ClaimField::precision, {"precision", "dtype", "精度"}},
      {ClaimField::rule, {"rule"}},
      {ClaimField::label, {"model", "workload", "name", "模型"}}};
  return all;
}

std::optional<int> whole_number(std::string_view text) {
  const auto number = number_in_front(text);
  if (!number || *number != std::floor(*number) || *number > 1e8) return std::nullopt;
  return static_cast<int>(*number);
}

bool set_whole(std::optional<int>& place, const std::string& text) {
  place = whole_number(text);
  return place.has_value() || trim(text) == "0";  // runs on CPUs have no GPU
}

/// The number without its commas, and how much of the text it takes.
std::pair<std::string, std::size_t> digits_in_front(std::string_view text) {
  std::string digits;
  std::size_t at = 0;
  const auto is_digit = [&](std::size_t place) {
    return place < text.size() && text[place] >= '0' && text[place] <= '9';
  };
  for (; at < text.size(); ++at) {
    if (is_digit(at) || text[at] == '.') {
      digits += text[at];
      continue;
    }
    const bool thousands = text[at] == ',' && !digits.empty() && is_digit(at + 1) &&
                           is_digit(at + 2) && is_digit(at + 3) && !is_digit(at + 4) &&
                           digits.find('.') == std::string::npos;
    if (!thousands) break;
  }
  return {digits, at};
}

}  // namespace

std::optional<ClaimField> claim_field(std::string_view heading) {
  const std::string plain = plain_heading(heading);
  for (const auto& [field, words] : headings())
    if (std::find(words.begin(), words.end(), plain) != words.end()) return field;
  return std::nullopt;
}

std::string claim_field_words(ClaimField field) {
  return join(headings().at(field), ", ");
}

std::optional<double> number_in_front(std::string_view text) {
  const auto [digits, size] = digits_in_front(trim(text));
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || error != std::errc() || rest != end || !(value > 0) ||
      value > largest_figure)
    return std::nullopt;
  return value;
}

std::string words_behind_number(std::string_view text) {
  text = trim(text);
  return std::string(trim(text.substr(digits_in_front(text).second)));
}

bool set_field(Claim& claim, ClaimField field, const std::string& text) {
  if (trim(text).empty()) return true;
  switch (field) {
    case ClaimField::log:
      claim.log = text;
      return true;
    case ClaimField::published: {
      const auto number = number_in_front(text);
      claim.published = number.value_or(0);
      const std::string behind = words_behind_number(text);
      const bool unit =
          behind.find('/') != std::string::npos && behind.find(' ') == std::string::npos;
      if (claim.unit.empty() && number && unit) claim.unit = behind;
      return number || text == "-" || text == "–" || text == "/";
    }
    case ClaimField::unit:
      claim.unit = text;
      return true;
    case ClaimField::gpus:
      return set_whole(claim.gpus, text);
    case ClaimField::nodes:
      return set_whole(claim.nodes, text);
    case ClaimField::batch:
      return set_whole(claim.batch, text);
    case ClaimField::global_batch: {
      const auto all = whole_number(text);
      if (all && claim.gpus && *all % *claim.gpus == 0) claim.batch = *all / *claim.gpus;
      return all.has_value();
    }
    case ClaimField::scale: {
      const auto scale = Scale::parse(text);
      if (!scale) return false;
      claim.gpus = scale->ranks();
      claim.nodes = scale->nodes;
      return true;
    }
    case ClaimField::precision:
      claim.precision = text;
      return true;
    case ClaimField::rule:
      claim.rule = text;
      return true;
    case ClaimField::label:
      claim.label += (claim.label.empty() ? "" : " ") + text;
      return true;
  }
  return true;
}

}  // namespace trainmark
