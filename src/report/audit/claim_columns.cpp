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

bool is_digit_at(std::string_view text, std::size_t place) {
  return place < text.size() && text[place] >= '0' && text[place] <= '9';
}

bool is_letter_at(std::string_view text, std::size_t place) {
  return place < text.size() &&
         ((text[place] >= 'a' && text[place] <= 'z') || (text[place] >= 'A' && text[place] <= 'Z'));
}

/// A comma or a blank, also one that does not break the line, in front of exactly three digits; the
/// length of the sign, 0 where it parts no thousands.
std::size_t parts_thousands(std::string_view text) {
  constexpr std::string_view signs[] = {",",     " ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89",
                                        "&nbsp;"};
  for (const std::string_view sign : signs) {
    const std::size_t at = sign.size();
    if (text.starts_with(sign) && is_digit_at(text, at) && is_digit_at(text, at + 1) &&
        is_digit_at(text, at + 2) && !is_digit_at(text, at + 3))
      return sign.size();
  }
  return 0;
}

/// A number at the front of a text.
struct FrontNumber {
  std::string digits;    // without what parts thousands
  double scale = 1;      // of `7.3k`; 0 where what follows makes the number unclear
  std::size_t size = 0;  // in the text
};

/// Of what is attached to a number: `k`, `M`. A decimal comma, an exponent and other letters that
/// multiply are not read, rather than read as something else.
double scale_of_letter(std::string_view text) {
  if (text.starts_with(',') && is_digit_at(text, 1)) return 0;
  if (!is_letter_at(text, 0)) return 1;
  const bool exponent =
      (text[0] == 'e' || text[0] == 'E') &&
      (is_digit_at(text, 1) || text.substr(1, 1) == "+" || text.substr(1, 1) == "-");
  if (exponent) return 0;
  if (is_letter_at(text, 1)) return 1;  // `images/s`
  if (text[0] == 'k' || text[0] == 'K') return 1e3;
  if (text[0] == 'M') return 1e6;
  return std::string_view("mGgBbT").find(text[0]) == std::string_view::npos ? 1 : 0;
}

FrontNumber front_number(std::string_view text) {
  FrontNumber number;
  std::size_t& at = number.size;
  std::string_view sign;  // that parts the thousands of this number
  while (at < text.size()) {
    if (is_digit_at(text, at) || text[at] == '.') {
      number.digits += text[at++];
      continue;
    }
    const std::size_t length = parts_thousands(text.substr(at));
    const bool begun = !number.digits.empty() && number.digits.find('.') == std::string::npos;
    const bool first = sign.empty() && (number.digits.size() <= 3 || text[at] == ',');
    if (length == 0 || !begun || (!first && text.substr(at, length) != sign)) break;
    sign = text.substr(at, length);
    at += length;
  }
  number.scale = scale_of_letter(text.substr(at));
  if (number.scale > 1) ++at;
  return number;
}

std::optional<int> whole_number(std::string_view text) {
  const auto number = number_in_front(text);
  if (front_number(trim(text)).scale != 1) return std::nullopt;  // of a batch, 4k may be 4096
  if (!number || *number != std::floor(*number) || *number > 1e8) return std::nullopt;
  return static_cast<int>(*number);
}

bool set_whole(std::optional<int>& place, const std::string& text) {
  place = whole_number(text);
  return place.has_value() || trim(text) == "0";  // runs on CPUs have no GPU
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
  const auto [digits, scale, size] = front_number(trim(text));
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  value *= scale;
  if (digits.empty() || error != std::errc() || rest != end || !(value > 0) ||
      value > largest_figure)
    return std::nullopt;
  return value;
}

std::string words_behind_number(std::string_view text) {
  text = trim(text);
  return std::string(trim(text.substr(front_number(text).size)));
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
