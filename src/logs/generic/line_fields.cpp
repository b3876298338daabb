#include "logs/generic/line_fields.h"

#include <algorithm>

#include "logs/generic/counter_words.h"
#include "logs/generic/word_match.h"

namespace trainmark {

namespace {

constexpr std::size_t longest_part_read = 16 * 1024;  // of a line
constexpr std::size_t most_fields = 160;
constexpr std::size_t longest_words = 64;
constexpr std::uint64_t json_lead = 1;
// Where an object begins decides what its keys mean: a mould must not move it over these borders.
constexpr std::size_t furthest_object = 200;
constexpr std::size_t object_leeway = 60;

/// Can a unit begin with it? Most numbers are followed by a sign that ends them.
constexpr bool may_begin_unit(char letter) {
  return is_letter(letter) || letter == ' ' || letter == '/' || letter == '%' ||
         static_cast<unsigned char>(letter) >= 0x80;
}

/// `50batch`, `1epoch`: counters whose name stands behind them.
bool is_name_behind(std::string_view word) {
  std::string name;
  for (const char letter : word) name += lower(letter);
  return name.size() > 1 && (is_step_counter(name) || is_epoch_counter(name));
}

}  // namespace

class LineFields::Scanner {
 public:
  Scanner(std::string_view line, std::vector<LineField>& fields, FieldWordsCache& words)
      : line_(line.substr(0, longest_part_read)), fields_(fields), words_(words) {
    const std::size_t first = line_.find_first_not_of(" \t");
    const std::size_t brace = line_.find('{');
    // Keys of an object come in any order, and some are missing: each stands for itself.
    json_ = brace != std::string_view::npos && brace < furthest_object &&
            brace + 1 < line_.size() && (line_[brace + 1] == '"' || line_[brace + 1] == '\'') &&
            first <= brace;
    json_begin_ = brace;
  }

  /// May lines that differ by their numbers alone be read in the same way?
  bool is_mould() const {
    return json_begin_ == std::string_view::npos || json_begin_ + object_leeway < furthest_object ||
           json_begin_ > furthest_object + object_leeway;
  }

  void scan() {
    while (at_ < line_.size() && fields_.size() < most_fields) {
      if (!is_digit(line_[at_])) {
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
    if (before == '.') return at_ == 1 || !(is_digit(line_[at_ - 2]) || is_letter(line_[at_ - 2]));
    if (!is_letter(before) && before != '_' && static_cast<unsigned char>(before) < 0x80)
      return true;
    if (static_cast<unsigned char>(before) >= 0x80) return true;
    return is_rank();
  }

  bool is_rank() const {
    if (at_ < 4) return false;
    std::string word;
    for (std::size_t i = at_ - 4; i < at_; ++i) word += lower(line_[i]);
    return word == "rank" && (at_ == 4 || !is_letter(line_[at_ - 5]));
  }

  void pass_over_word() {
    while (at_ < line_.size() &&
           (is_digit(line_[at_]) || is_letter(line_[at_]) || line_[at_] == '_'))
      ++at_;
  }

  char at(std::size_t place) const { return place < line_.size() ? line_[place] : '\0'; }

  void take() {
    const std::size_t begin = at_;
    PrintedValue value;
    if (!read_value(line_, at_, value)) return;
    LineField field;
    field.kind = value.kind;
    field.whole = value.whole;
    field.duration = value.duration;
    field.resolution = value.resolution;
    field.value = field.number = value.number;
    if (field.kind == LineField::Kind::number && !take_behind(field, begin)) return;
    finish(field, begin);
  }

  /// What stands behind a number, and signs in front of it; false for `3f8a`, `2x`: no numbers.
  bool take_behind(LineField& field, std::size_t begin) {
    if (field.duration) {
      field.quantity.kind = QuantityKind::seconds;
      field.unit_behind = true;
    } else if (may_begin_unit(at(at_))) {
      field.quantity = quantity_behind(line_.substr(at_));
      if (is_name_of_next(field, begin)) field.quantity = {};
      field.unit_behind = field.quantity.kind != QuantityKind::plain;
    }
    if (!field.unit_behind && (is_letter(at(at_)) || at(at_) == '_')) {
      const std::size_t end = at_;
      pass_over_word();
      field.named_behind = field.whole && is_name_behind(line_.substr(end, at_ - end));
      if (!field.named_behind) return false;
      name_length_ = at_ - end;
      at_ = end;
    }
    field.negative = begin > 0 && line_[begin - 1] == '-' &&
                     (begin == 1 || line_[begin - 2] == ' ' || separates(line_[begin - 2]));
    if (field.negative) field.number = field.value = -field.number;
    field.before_slash =
        at(at_) == '/' || (at(at_) == ' ' && at(at_ + 1) == '/') || line_.substr(at_, 4) == " of ";
    std::size_t front = begin;
    while (front > 0 && line_[front - 1] == ' ') --front;
    field.behind_slash = !fields_.empty() && front > 0 && fields_.back().before_slash &&
                         fields_.back().end + 4 >= front && fields_.back().end < begin;
    return true;
  }

  /// `loss 2.5 tok/s 1000`: where blanks alone part names and numbers and the last number has
  /// nothing behind it, names stand in front. Not so where the number has a name of its own that
  /// asks for a unit: `took 2.5 s`.
  bool is_name_of_next(const LineField& field, std::size_t begin) const {
    if (field.quantity.length == 0 || at(at_) != ' ') return false;
    LineField own = field;
    own.begin = static_cast<std::uint32_t>(begin);
    find_words(own);
    const FieldWords& words = words_.of(line_.substr(own.words, begin - own.words));
    if (!words.any || takes_unit(words.quantity.kind, field.quantity.kind)) return false;
    std::size_t place = at_ + field.quantity.length;
    for (;;) {
      place = line_.find_first_not_of(' ', place);
      if (place == std::string_view::npos || !is_digit(line_[place])) return false;
      place = std::min(line_.find_first_of(" ;|)", place), line_.size());
      if (place == line_.size() || line_[place] != ' ' || line_[place - 1] == ',') return true;
      place = line_.find_first_not_of(' ', place);
      if (place == std::string_view::npos || line_[place] == '|') return true;
      if (!is_letter(line_[place])) return false;
      while (place < line_.size() && line_[place] != ' ') ++place;
    }
  }

  /// A time or a speed may have the unit of one; `tok/s 1000 ms 250` are two fields.
  static bool takes_unit(QuantityKind named, QuantityKind unit) {
    if (named == QuantityKind::plain) return false;
    if (named == QuantityKind::item_rate)
      return unit == named || unit == QuantityKind::step_seconds;
    return unit != QuantityKind::item_rate;
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
    const FieldWords& words = words_.of(name_of(field));
    if (field.kind == LineField::Kind::number && !field.unit_behind && !field.named_behind &&
        words.any)
      field.quantity = words.quantity;
    if (words.any) take_thousands(field, words.quantity);
    field.bracketed = in_brackets && is_like_one_before(field);
    field.of_bar = field.unit_behind && !first_of_line && is_behind_clocks(between);
    field.value = field.kind == LineField::Kind::number ? field.quantity.value_of(field.number)
                                                        : field.number;
    at_ += field.unit_behind ? field.quantity.length : field.named_behind ? name_length_ : 0;
    field.unit_end = static_cast<std::uint32_t>(at_);
    lead_ = mixed_letters(lead_, line_.substr(lead_end_, begin - lead_end_));
    lead_end_ = field.end;
    field.lead = json_ && begin > json_begin_ ? json_lead : lead_;
    lead_ = mixed(lead_, '#');
    std::uint64_t id = mixed(words.hash, static_cast<std::uint64_t>(field.kind));
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

  std::string_view name_of(const LineField& field) const {
    if (field.named_behind) return line_.substr(field.end, name_length_);
    return line_.substr(field.words, field.begin - field.words);
  }

  /// `[00:40<01:20, 40.0img/s`: what the bar itself counts.
  bool is_behind_clocks(std::string_view between) const {
    const LineField& left = fields_.back();
    return left.kind == LineField::Kind::clock && left.begin > 0 && line_[left.begin - 1] == '<' &&
           is_comma(between);
  }

  /// `tok/s: 1.2M` and `tok/s: 1.2 M`: the unit stands in front of the number, and thousands or
  /// millions behind it.
  void take_thousands(LineField& field, Quantity named) const {
    if (named.kind != QuantityKind::item_rate) return;
    const bool attached = field.unit_behind && field.quantity.kind == QuantityKind::other &&
                          field.quantity.length == 1;
    if (!attached && (field.unit_behind || !is_lone_letter(field.end))) return;
    const char letter = at(field.end + (attached ? 0 : 1));
    const double factor = letter == 'k' || letter == 'K' ? 1e3
                          : letter == 'M'                ? 1e6
                          : letter == 'G'                ? 1e9
                                                         : 0;
    if (factor == 0) return;
    named.factor *= factor;
    named.length = attached ? 1 : 2;
    field.quantity = std::move(named);
    field.unit_behind = true;
  }

  /// ` M |`, but neither ` M 5` nor ` M: 5`, where it is the name of another field.
  bool is_lone_letter(std::size_t place) const {
    if (at(place) != ' ' || !is_letter(at(place + 1))) return false;
    const char next = at(place + 2);
    if (is_letter(next) || is_digit(next) || next == '_' || next == '/') return false;
    const std::size_t behind = line_.find_first_not_of(' ', place + 2);
    return behind == std::string_view::npos ||
           (!is_digit(line_[behind]) && line_[behind] != ':' && line_[behind] != '=');
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
  FieldWordsCache& words_;
  std::size_t at_ = 0;
  std::size_t name_length_ = 0;  // of a name behind its number
  std::uint64_t lead_ = hash_begin;
  std::size_t lead_end_ = 0;
  bool json_ = false;
  std::size_t json_begin_ = 0;
};

void LineFields::read(std::string_view line) {
  line_ = line;
  mould_ = moulds_.fill(line);
  if (mould_ != LineMoulds::none) return;
  words_.forget();
  scanned_.clear();
  Scanner scanner(line, scanned_, words_);
  scanner.scan();
  if (scanner.is_mould()) moulds_.keep(line, scanned_);
}

const std::string& LineFields::words_of(const LineField& field) const {
  return words_
      .of(field.named_behind ? line_.substr(field.end, field.unit_end - field.end)
                             : line_.substr(field.words, field.begin - field.words))
      .text;
}

const LineField* LineFields::find(std::uint64_t id) const {
  for (const LineField& field : fields())
    if (field.id == id) return &field;
  return nullptr;
}

}  // namespace trainmark
