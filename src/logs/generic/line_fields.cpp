#include "logs/generic/line_fields.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "logs/grammar/cursor.h"

namespace trainmark {

namespace {

constexpr std::size_t longest_part_read = 16 * 1024;  // of a line
constexpr std::size_t most_fields = 160;
constexpr std::size_t longest_words = 64;
constexpr std::uint64_t hash_begin = 0xcbf29ce484222325;
constexpr std::uint64_t json_lead = 1;

constexpr bool digit(char letter) {
  return letter >= '0' && letter <= '9';
}

constexpr bool alphabetic(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

constexpr char small(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A')) : letter;
}

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x100000001b3;
}

/// The letters of a text; digits and all signs are passed over, so that bars and numbers do not
/// count.
std::uint64_t mixed_letters(std::uint64_t hash, std::string_view text) {
  for (const char letter : text)
    if (alphabetic(letter) || letter == '_')
      hash = mixed(hash, static_cast<unsigned char>(small(letter)));
  return hash;
}

bool separates(char letter) {
  return letter == ' ' || letter == ':' || letter == '=' || letter == '"' || letter == '\'' ||
         letter == '[' || letter == '(' || letter == '\t' || letter == '#' || letter == '<' ||
         letter == '>' || letter == '~' || letter == '-';
}

}  // namespace

class LineFields::Scanner {
 public:
  Scanner(std::string_view line, std::vector<LineField>& fields)
      : line_(line.substr(0, longest_part_read)), fields_(fields) {
    const std::size_t first = line_.find_first_not_of(" \t");
    const std::size_t brace = line_.find('{');
    // Keys of an object come in any order, and some are missing: each stands for itself.
    json_ = brace != std::string_view::npos && brace < 200 && brace + 1 < line_.size() &&
            (line_[brace + 1] == '"' || line_[brace + 1] == '\'') && first <= brace;
    json_begin_ = brace;
  }

  void scan() {
    while (at_ < line_.size() && fields_.size() < most_fields) {
      if (!digit(line_[at_])) {
        ++at_;
        continue;
      }
      if (!begins_number()) {
        pass_over_word();
        continue;
      }
      take();
    }
  }

 private:
  /// Digits inside of words (`acc1`, `v2`) are none; those of `rank0` are.
  bool begins_number() const {
    if (at_ == 0) return true;
    const char before = line_[at_ - 1];
    if (before == '.') return at_ == 1 || !(digit(line_[at_ - 2]) || alphabetic(line_[at_ - 2]));
    if (!alphabetic(before) && before != '_' && static_cast<unsigned char>(before) < 0x80)
      return true;
    if (static_cast<unsigned char>(before) >= 0x80) return true;
    return is_rank();
  }

  bool is_rank() const {
    if (at_ < 4) return false;
    std::string word;
    for (std::size_t i = at_ - 4; i < at_; ++i) word += small(line_[i]);
    return word == "rank" && (at_ == 4 || !alphabetic(line_[at_ - 5]));
  }

  void pass_over_word() {
    while (at_ < line_.size() && (digit(line_[at_]) || alphabetic(line_[at_]) || line_[at_] == '_'))
      ++at_;
  }

  std::size_t digits_from(std::size_t place) const {
    std::size_t end = place;
    while (end < line_.size() && digit(line_[end])) ++end;
    return end - place;
  }

  char at(std::size_t place) const { return place < line_.size() ? line_[place] : '\0'; }

  double whole_at(std::size_t place, std::size_t count) const {
    double value = 0;
    for (std::size_t i = place; i < place + count; ++i) value = value * 10 + (line_[i] - '0');
    return value;
  }

  void take() {
    if (take_stamp() || take_clock()) return;
    take_number();
  }

  /// 2023-07-28 06:51:52.985311, 2023/07/28T06:51:52, 05/09 00:21:54.
  bool take_stamp() {
    const std::size_t year = digits_from(at_);
    const char between = at(at_ + year);
    if (between != '-' && between != '/') return false;
    if (year == 4 && digits_from(at_ + 5) == 2 && at(at_ + 7) == between &&
        digits_from(at_ + 8) == 2) {
      return take_dated(at_ + 10,
                        days_of(whole_at(at_, 4), whole_at(at_ + 5, 2), whole_at(at_ + 8, 2)));
    }
    // Month and day, as detectron2 and glog print them: the year does not matter here.
    if (year == 2 && digits_from(at_ + 3) == 2 && at(at_ + 5) == ' ' && is_clock(at_ + 6))
      return take_dated(at_ + 5, days_of(2000, whole_at(at_, 2), whole_at(at_ + 3, 2)));
    return false;
  }

  static double days_of(double year, double month, double day) {
    const std::chrono::year_month_day date{
        std::chrono::year(static_cast<int>(year)),
        std::chrono::month(static_cast<unsigned>(std::clamp(month, 1.0, 12.0))),
        std::chrono::day(static_cast<unsigned>(std::clamp(day, 1.0, 28.0)))};
    // The 29th to the 31st are counted on, so that no month is too short for them.
    const double over = std::clamp(day, 1.0, 31.0) - std::clamp(day, 1.0, 28.0);
    return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + over;
  }

  bool take_dated(std::size_t place, double days) {
    const std::size_t begin = at_;
    if ((at(place) != ' ' && at(place) != 'T' && at(place) != '_' && at(place) != '-') ||
        !is_clock(place + 1)) {
      at_ = place;  // a date alone says nothing
      return true;
    }
    at_ = place + 1;
    LineField field;
    read_clock(field);
    field.kind = LineField::Kind::stamp;
    field.value = field.number += days * 86400;
    finish(field, begin);
    return true;
  }

  /// H:MM:SS or MM:SS.
  bool is_clock(std::size_t place) const {
    const std::size_t first = digits_from(place);
    if (first == 0 || first > 4 || at(place + first) != ':') return false;
    const std::size_t second = place + first + 1;
    if (digits_from(second) != 2 || at(second) > '5') return false;
    if (at(second + 2) == ':') return digits_from(second + 3) == 2 && at(second + 3) <= '5';
    return first <= 2 && !alphabetic(at(second + 2));
  }

  void read_clock(LineField& field) {
    double value = 0;
    for (int part = 0;; ++part) {
      const std::size_t count = digits_from(at_);
      value = value * 60 + whole_at(at_, count);
      at_ += count;
      if (part == 2 || at(at_) != ':' || digits_from(at_ + 1) != 2) break;
      ++at_;
    }
    field.resolution = 1;
    const char point = at(at_);
    const std::size_t decimals = point == '.' || point == ',' ? digits_from(at_ + 1) : 0;
    if (decimals > 0 && decimals <= 9) {
      field.resolution = std::pow(10.0, -static_cast<double>(decimals));
      value += whole_at(at_ + 1, decimals) * field.resolution;
      at_ += 1 + decimals;
    }
    field.value = field.number = value;
  }

  bool take_clock() {
    const std::size_t begin = at_;
    const std::size_t days = digits_from(at_);
    const std::string_view behind = line_.substr(at_ + days, 8);
    double more = 0;
    if (days <= 4 && (behind.starts_with(" days, ") || behind.starts_with(" day, "))) {
      more = whole_at(at_, days) * 86400;
      at_ += days + (behind[4] == 's' ? 7 : 6);
    }
    if (!is_clock(at_)) {
      at_ = begin;
      return false;
    }
    LineField field;
    read_clock(field);
    field.kind = LineField::Kind::clock;
    field.value = field.number += more;
    finish(field, begin);
    return true;
  }

  void take_number() {
    const std::size_t begin = at_;
    LineField field;
    if (!read_number(field)) return;
    field.value = field.number;
    // `127.0.0.1`, `3f8a`, `2x`: no numbers.
    if (at(at_) == '.' && digit(at(at_ + 1))) {
      while (at_ < line_.size() && (digit(line_[at_]) || line_[at_] == '.')) ++at_;
      return;
    }
    field.quantity = quantity_behind(line_.substr(at_));
    field.unit_behind = field.quantity.kind != QuantityKind::plain;
    if (!field.unit_behind && (alphabetic(at(at_)) || at(at_) == '_')) {
      pass_over_word();
      return;
    }
    if (begin > 0 && line_[begin - 1] == '-' &&
        (begin == 1 || line_[begin - 2] == ' ' || separates(line_[begin - 2]))) {
      field.number = field.value = -field.number;
      field.whole = false;
    }
    field.before_slash =
        at(at_) == '/' || (at(at_) == ' ' && at(at_ + 1) == '/') || line_.substr(at_, 4) == " of ";
    std::size_t front = begin;
    while (front > 0 && line_[front - 1] == ' ') --front;
    field.behind_slash = !fields_.empty() && front > 0 && fields_.back().before_slash &&
                         fields_.back().end + 4 >= front && fields_.back().end < begin;
    finish(field, begin);
  }

  bool read_number(LineField& field) {
    const std::size_t whole = digits_from(at_);
    if (whole > 18) {
      at_ += whole;
      return false;
    }
    double value = whole_at(at_, whole);
    at_ += whole;
    field.whole = true;
    // 1,234,567 and 1,512.5; 1,51 is two numbers, and 1,512 is taken for one.
    if (whole <= 3) {
      while (at(at_) == ',' && digits_from(at_ + 1) == 3) {
        value = value * 1000 + whole_at(at_ + 1, 3);
        at_ += 4;
      }
    }
    field.resolution = 1;
    if (at(at_) == '.') {
      const std::size_t decimals = digits_from(at_ + 1);
      if (decimals > 0) {
        field.whole = false;
        const std::size_t used = std::min<std::size_t>(decimals, 15);
        field.resolution = std::pow(10.0, -static_cast<double>(used));
        value += whole_at(at_ + 1, used) * field.resolution;
        at_ += 1 + decimals;
      }
    }
    const std::size_t sign = at(at_ + 1) == '-' || at(at_ + 1) == '+' ? 1 : 0;
    const std::size_t power = digits_from(at_ + 1 + sign);
    if ((at(at_) == 'e' || at(at_) == 'E') && power > 0 && power <= 3) {
      const double exponent = whole_at(at_ + 1 + sign, power) * (at(at_ + 1) == '-' ? -1 : 1);
      const double factor = std::pow(10.0, exponent);
      value *= factor;
      field.resolution *= factor;
      field.whole = false;
      at_ += 1 + sign + power;
    }
    field.number = value;
    return std::isfinite(value);
  }

  void finish(LineField& field, std::size_t begin) {
    field.begin = static_cast<std::uint32_t>(begin);
    field.end = static_cast<std::uint32_t>(at_);
    find_words(field);
    const bool first_of_line = fields_.empty();
    const std::size_t previous = first_of_line ? 0 : fields_.back().unit_end;
    const std::string_view between =
        line_.substr(std::min(previous, begin), begin - std::min(previous, begin));
    const bool in_brackets =
        !first_of_line && field.kind == LineField::Kind::number &&
        (is_open_bracket(between) || (fields_.back().bracketed && is_comma(between)));
    std::string words;
    for (const char letter : line_.substr(field.words, begin - field.words)) words += small(letter);
    while (!words.empty() && separates(words.back())) words.pop_back();
    if (field.kind == LineField::Kind::number && !field.unit_behind && !words.empty())
      field.quantity = quantity_in_front(words);
    field.bracketed = in_brackets && is_like_one_before(field);
    field.value = field.kind == LineField::Kind::number ? field.quantity.value_of(field.number)
                                                        : field.number;
    at_ += field.unit_behind ? field.quantity.length : 0;
    field.unit_end = static_cast<std::uint32_t>(at_);
    lead_ = mixed_letters(lead_, line_.substr(lead_end_, begin - lead_end_));
    lead_end_ = begin;
    field.lead = json_ && begin > json_begin_ ? json_lead : lead_;
    lead_ = mixed(lead_, '#');
    std::uint64_t id = mixed_letters(hash_begin, words);
    id = mixed(id, static_cast<std::uint64_t>(field.kind));
    // A unit that changes between `it/s` and `s/it` is one field.
    const bool named = field.quantity.kind != QuantityKind::plain;
    id = mixed(id, named ? static_cast<std::uint64_t>(field.quantity.kind) : 0);
    id = mixed(id, (field.bracketed ? 2U : 0U) + (field.behind_slash ? 1U : 0U));
    // Without words, the place among its like is the name.
    std::uint64_t same = 0;
    for (const LineField& other : fields_)
      if (other.id == mixed(id, same)) ++same;
    field.id = mixed(id, same);
    fields_.push_back(std::move(field));
  }

  /// `0.35 (0.36)` and `0.35s, 8.1/s (0.36s, 7.9/s)`, but not `step 10 (3.5 sec)`.
  bool is_like_one_before(const LineField& field) const {
    const LineField& last = fields_.back();
    if (field.quantity.kind == QuantityKind::plain) return !last.whole && !last.before_slash;
    if (last.quantity.kind == field.quantity.kind) return true;
    return fields_.size() > 1 && fields_[fields_.size() - 2].quantity.kind == field.quantity.kind;
  }

  static bool is_open_bracket(std::string_view text) {
    const std::size_t open = text.rfind('(');
    if (open == std::string_view::npos) return false;
    const auto blank = [](char letter) { return letter == ' ' || letter == '\t' || letter == ','; };
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open), blank) &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(open) + 1, text.end(), blank);
  }

  static bool is_comma(std::string_view text) {
    return !text.empty() && text.find(',') != std::string_view::npos &&
           text.find_first_not_of(", ") == std::string_view::npos;
  }

  /// From the last sign that ends another field, or from the field before.
  void find_words(LineField& field) const {
    const std::size_t begin = field.begin;
    const std::size_t least =
        std::max<std::size_t>(fields_.empty() ? 0 : fields_.back().unit_end,
                              begin > longest_words ? begin - longest_words : 0);
    std::size_t end = begin;
    while (end > least && separates(line_[end - 1])) --end;
    std::size_t first = end;
    while (first > least && !ends_words(first - 1, end)) --first;
    field.words = static_cast<std::uint32_t>(std::min(first, begin));
  }

  bool ends_words(std::size_t place, std::size_t end) const {
    const char letter = line_[place];
    if (letter == '|' || letter == ';' || letter == ',' || letter == '\t' || letter == '{' ||
        letter == '}' || letter == ']' || letter == '>' ||
        static_cast<unsigned char>(letter) >= 0x80)
      return true;
    if (letter == ')') return place + 1 < end;
    if (letter == ' ') return line_[place + 1] == ' ' || (place > 0 && line_[place - 1] == ' ');
    return (letter == '"' || letter == '\'') && json_;
  }

  std::string_view line_;
  std::vector<LineField>& fields_;
  std::size_t at_ = 0;
  std::uint64_t lead_ = hash_begin;
  std::size_t lead_end_ = 0;
  bool json_ = false;
  std::size_t json_begin_ = 0;
};

void LineFields::read(std::string_view line) {
  line_ = line;
  fields_.clear();
  Scanner(line, fields_).scan();
}

std::string LineFields::words_of(const LineField& field) const {
  std::string words;
  for (const char letter : line_.substr(field.words, field.begin - field.words))
    words += small(letter);
  while (!words.empty() && separates(words.back())) words.pop_back();
  std::size_t front = 0;
  while (front < words.size() && (separates(words[front]) || words[front] == '/')) ++front;
  return words.substr(front);
}

const LineField* LineFields::find(std::uint64_t id) const {
  for (const LineField& field : fields_)
    if (field.id == id) return &field;
  return nullptr;
}

}  // namespace trainmark
