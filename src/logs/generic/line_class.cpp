#include "logs/generic/line_class.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "logs/generic/counter_words.h"

namespace trainmark {

namespace {

constexpr std::size_t most_classes = 600;
constexpr std::size_t most_rows = 4096;
constexpr std::size_t most_cells = 3'000'000;  // of all classes: 48 MB
constexpr std::size_t most_columns = 160;
constexpr std::size_t most_counters = 12;  // of a line
constexpr std::size_t longest_kept = 1000;
// After so many lines, a counter has counted.
constexpr std::size_t trial_lines = 12;
// A kind of lines that was seen once and not again for so long is none.
constexpr std::size_t forgotten_after = 2000;

bool may_count(const LineField& field) {
  return field.kind == LineField::Kind::number && field.whole && !field.bracketed &&
         field.quantity.kind == QuantityKind::plain && !field.negative && field.number < 1e12;
}

bool is_explicit(const LineField& field) {
  return field.quantity.kind == QuantityKind::item_rate ||
         field.quantity.kind == QuantityKind::step_seconds;
}

/// Letters are what names a field; bars, arrows and brackets are not.
bool has_letters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  });
}

std::uint64_t key_of(std::uint64_t lead, std::uint64_t id) {
  return (lead ^ (id * 0x9e3779b97f4a7c15)) * 0x100000001b3;
}

}  // namespace

double LineClass::at(const Row& row, std::size_t column) const {
  for (std::uint32_t i = row.begin; i < row.end; ++i)
    if (cells[i].column == column) return cells[i].value;
  return not_known;
}

void LineClasses::look(std::string_view line, double arrival) {
  ++lines_;
  phases_.look(line);
  fields_.read(rows_.named(line));
  const std::vector<LineField>& fields = fields_.fields();
  rank_ = rank_of(fields_);
  if (const double epoch = heading_epoch(fields_); std::isfinite(epoch)) heading_ = epoch;
  std::size_t counters = 0;
  bool any = false;
  for (std::size_t i = 0; i < fields.size() && counters < most_counters; ++i) {
    if (!may_count(fields[i])) continue;
    const LineField* total = nullptr;
    if (fields[i].before_slash && i + 1 < fields.size() && fields[i + 1].behind_slash &&
        may_count(fields[i + 1]))
      total = &fields[i + 1];
    add(key_of(fields[i].lead, fields[i].id), &fields[i], total, arrival);
    ++counters;
    any = true;
  }
  const auto speed = std::find_if(fields.begin(), fields.end(), is_explicit);
  // Most such lines have a counter; this is for those that have none.
  if (speed != fields.end()) add(key_of(speed->lead, speed->id), nullptr, nullptr, arrival);
  if (any && classes_.size() > most_classes && lines_ % 256 == 0) forget_rare();
}

void LineClasses::add(std::uint64_t key, const LineField* counter, const LineField* total,
                      double arrival) {
  const auto found = classes_.find(key);
  if (found == classes_.end()) {
    LineClass kind;
    kind.lead = counter == nullptr ? 0 : counter->lead;
    kind.counter = counter == nullptr ? 0 : counter->id;
    kind.total = total == nullptr ? 0 : total->id;
    const std::string_view line = fields_.line();
    kind.first_line = std::string(line.substr(0, longest_kept));
    if (counter != nullptr) {
      kind.counter_words = fields_.words_of(*counter);
      kind.lead_text = std::string(fields_.lead_of(*counter).substr(0, longest_kept));
    } else {
      kind.lead_text = std::string(line.substr(0, 80));
    }
    kind.is_json = counter != nullptr && counter->lead == 1;
    add_row(classes_.emplace(key, std::move(kind)).first->second, counter, total, arrival);
    return;
  }
  add_row(found->second, counter, total, arrival);
}

void LineClasses::add_row(LineClass& kind, const LineField* counter, const LineField* total,
                          double arrival) {
  // What other ranks print alike would look like a counter that goes back and forth.
  if (kind.lines == 0) kind.rank = rank_;
  if (rank_ != kind.rank && rank_ >= 0) return;
  kind.last_seen = lines_;
  const double count = total == nullptr ? not_known : total->number;
  if (counter != nullptr && phases_.is_evaluation(kind.phase, counter->number, count)) return;
  ++kind.lines;
  if (kind.dead) return;
  LineClass::Row row;
  row.counter = counter == nullptr ? static_cast<double>(kind.lines) : counter->number;
  row.total = count;
  row.arrival = arrival;
  row.heading = heading_;
  if (!kind.rows.empty()) {
    kind.rises += row.counter > kind.rows.back().counter ? 1 : 0;
    kind.falls += row.counter < kind.rows.back().counter ? 1 : 0;
  }
  kind.full += row.counter == row.total && row.total > 0 ? 1 : 0;
  if (kind.rows.size() >= most_rows || cells_ >= most_cells) return;
  row.begin = static_cast<std::uint32_t>(kind.cells.size());
  const std::vector<LineField>& fields = fields_.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (&fields[i] == counter) continue;
    const std::uint32_t column = column_of(kind, fields[i], i);
    if (column == most_columns) continue;
    kind.cells.push_back({column, fields[i].value});
    ++cells_;
  }
  row.end = static_cast<std::uint32_t>(kind.cells.size());
  kind.rows.push_back(row);
  kind.last_line = std::string(fields_.line().substr(0, longest_kept));
  const bool counts = kind.rises > 2 * kind.falls || 2 * kind.full > kind.rows.size() ||
                      (kind.total != 0 && kind.rises > 0 && kind.rises + 1 >= kind.falls);
  if (kind.rows.size() >= trial_lines && !counts) {
    kind.dead = true;
    cells_ -= kind.cells.size();
    kind.rows = {};
    kind.cells = {};
    kind.columns = {};
  }
}

std::uint32_t LineClasses::column_of(LineClass& kind, const LineField& field, std::size_t order) {
  // Lines alike have their fields at the same places, nearly always.
  std::size_t found = kind.columns.size();
  if (order < kind.columns.size() && kind.columns[order].id == field.id) {
    found = order;
  } else {
    for (std::size_t i = 0; i < kind.columns.size(); ++i) {
      if (kind.columns[i].id != field.id) continue;
      found = i;
      break;
    }
  }
  const std::string_view line = fields_.line();
  if (found == kind.columns.size()) {
    if (found == most_columns) return most_columns;
    FieldColumn column;
    column.id = field.id;
    column.kind = field.kind;
    column.quantity = field.quantity;
    column.words = fields_.words_of(field);
    column.unit = std::string(line.substr(field.end, field.unit_end - field.end));
    column.bracketed = field.bracketed;
    column.unit_behind = field.unit_behind;
    column.behind_slash = field.behind_slash;
    column.before_slash = field.before_slash;
    column.elapsed = field.kind == LineField::Kind::clock && line.substr(field.end, 1) == "<";
    column.front = !has_letters(line.substr(0, field.begin)) ||
                   (field.begin < 48 && field.kind != LineField::Kind::number);
    column.of_bar = field.of_bar;
    column.order = order;
    kind.columns.push_back(std::move(column));
  }
  FieldColumn& column = kind.columns[found];
  ++column.count;
  column.whole = column.whole && field.whole;
  double resolution = field.resolution;
  if (field.kind == LineField::Kind::number) {
    resolution = field.quantity.inverse
                     ? field.value * field.resolution / std::max(field.number, 1e-300)
                     : field.resolution * field.quantity.factor;
  }
  column.resolution = std::max(column.resolution, resolution);
  return static_cast<std::uint32_t>(found);
}

void LineClasses::forget_rare() {
  std::erase_if(classes_, [&](const auto& entry) {
    const LineClass& kind = entry.second;
    const bool rare = kind.lines < 3 && kind.last_seen + forgotten_after < lines_;
    const bool crowded = classes_.size() > 4 * most_classes && kind.lines < 3;
    const bool forgotten =
        rare || crowded || (kind.dead && kind.last_seen + forgotten_after < lines_);
    if (forgotten) cells_ -= kind.cells.size();
    return forgotten;
  });
}

std::vector<const LineClass*> LineClasses::all() const {
  std::vector<const LineClass*> result;
  for (const auto& [key, kind] : classes_)
    if (!kind.dead && !kind.rows.empty()) result.push_back(&kind);
  // In the order in which they came, so that the same log is always read in the same way.
  std::sort(result.begin(), result.end(), [](const LineClass* left, const LineClass* right) {
    return std::tie(left->first_line, left->counter) < std::tie(right->first_line, right->counter);
  });
  return result;
}

}  // namespace trainmark
