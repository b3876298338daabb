#include "logs/generic/class_facts.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "logs/generic/counter_words.h"

namespace trainmark {

namespace {

/// What counts the parts of a step; ranks, stages and heads that print the same step are none.
bool counts_parts(const FieldColumn& column) {
  if (!column.whole || column.kind != LineField::Kind::number || column.behind_slash ||
      column.quantity.kind != QuantityKind::plain || is_no_counter(column.words))
    return false;
  for (const char* part : {"micro", "accum", "acc_step", "sub", "mini", "inner", "batch"})
    if (column.words.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

ClassFacts::ClassFacts(const LineClass& kind) : kind_(kind), prior_(counter_prior()) {
  if (prior_ <= 0) return;
  find_epoch();
  find_wall();
  find_gaps();
  find_parts();
}

double ClassFacts::counter_prior() const {
  if (kind_.counter == 0) return kind_.rows.empty() ? 0 : 0.1;
  const std::string& words = kind_.counter_words;
  if (is_no_counter(words) || counts_bytes()) return 0;
  const bool counts = kind_.rises >= 2 || kind_.full >= 2;
  if (!counts) return 0;
  double prior = words.empty() ? 0.4 : 0.2;
  if (is_epoch_counter(words)) prior = 0.25;
  if (is_step_counter(words)) prior = 1;
  if (words.find("micro") != std::string::npos) prior = 0.9;
  if (kind_.total != 0 && !is_epoch_counter(words)) prior = std::max(prior, 0.85) * 1.1;
  // A counter rises from line to line; what falls as often is none, unless it begins again.
  const double ups = static_cast<double>(kind_.rises);
  const double downs = static_cast<double>(kind_.falls);
  const bool full = 3 * kind_.full > kind_.rows.size();
  return full ? prior : prior * (ups - downs) / std::max(1.0, ups + downs);
}

bool ClassFacts::counts_samples() const {
  const std::size_t epoch = kind_.lead_text.rfind("Train Epoch:");
  if (epoch == std::string::npos || kind_.total == 0) return false;
  const std::string between = kind_.lead_text.substr(epoch + 12);
  return between.find_first_not_of(" 0123456789[") == std::string::npos &&
         kind_.last_line.find("%)]") != std::string::npos;
}

/// The bar of a download: its own rate is in bytes.
bool ClassFacts::counts_bytes() const {
  return std::any_of(kind_.columns.begin(), kind_.columns.end(), [](const FieldColumn& column) {
    return column.of_bar && column.quantity.kind == QuantityKind::other;
  });
}

void ClassFacts::find_epoch() {
  for (std::size_t i = 0; i < kind_.columns.size() && !columns_.epoch; ++i) {
    const FieldColumn& column = kind_.columns[i];
    if (column.whole && column.kind == LineField::Kind::number && !column.behind_slash &&
        is_epoch_counter(column.words) && 2 * column.count > kind_.rows.size())
      columns_.epoch = i;
  }
  for (std::size_t i = 0; i < kind_.columns.size() && !columns_.epoch; ++i)
    if (is_unnamed_epoch(i)) columns_.epoch = i;
}

bool ClassFacts::is_unnamed_epoch(std::size_t index) const {
  const FieldColumn& column = kind_.columns[index];
  if (!column.whole || !column.before_slash || kind_.total == 0 || column.id == kind_.total ||
      column.quantity.kind != QuantityKind::plain || column.count < kind_.rows.size())
    return false;
  std::size_t stays = 0;
  std::size_t moves = 0;
  for (std::size_t i = 1; i < kind_.rows.size(); ++i) {
    if (kind_.rows[i].counter <= kind_.rows[i - 1].counter) continue;
    const bool same = kind_.at(kind_.rows[i], index) == kind_.at(kind_.rows[i - 1], index);
    (same ? stays : moves) += 1;
  }
  return stays > 2 && stays >= 50 * moves;
}

bool ClassFacts::rises(std::size_t column) const {
  std::size_t ups = 0;
  std::size_t downs = 0;
  double before = not_known;
  for (const LineClass::Row& row : kind_.rows) {
    const double value = kind_.at(row, column);
    if (value > before) ++ups;
    if (value < before) ++downs;
    if (std::isfinite(value)) before = value;
  }
  return ups > 0 && ups >= 20 * downs;
}

void ClassFacts::find_wall() {
  double best = 0;
  for (std::size_t i = 0; i < kind_.columns.size(); ++i) {
    const FieldColumn& column = kind_.columns[i];
    if (10 * column.count < 9 * kind_.rows.size()) continue;
    const double typical = kind_.rows.empty() ? 0 : kind_.at(kind_.rows.back(), i);
    const bool seconds = typical > 9e8 && typical < 3e9;
    const bool milliseconds = typical > 9e11 && typical < 3e12;
    double worth = 0;
    if (column.kind == LineField::Kind::stamp) worth = 3;
    if (column.kind == LineField::Kind::clock && column.front && !column.elapsed) worth = 2;
    if (column.kind == LineField::Kind::number && (seconds || milliseconds) &&
        (column.front || column.words.find("time") != std::string::npos || column.words == "ts"))
      worth = 2.5;
    if (worth > 0 && column.resolution < 1) worth += 0.5;
    if (worth <= best || !rises(i)) continue;
    best = worth;
    columns_.wall = i;
    columns_.wall_is_milliseconds = column.kind == LineField::Kind::number && milliseconds;
    wall_resolution_ = column.resolution / (columns_.wall_is_milliseconds ? 1000 : 1);
  }
  if (columns_.wall || kind_.rows.size() < 2) return;
  if (kind_.rows.back().arrival > kind_.rows.front().arrival) {
    columns_.by_arrival = true;
    wall_resolution_ = 1e-3;
  }
}

void ClassFacts::find_gaps() {
  std::vector<double> gaps;
  double least = 1e300;
  for (std::size_t i = 0; i < kind_.rows.size(); ++i) {
    least = std::min(least, kind_.rows[i].counter);
    if (i > 0 && kind_.rows[i].counter > kind_.rows[i - 1].counter)
      gaps.push_back(kind_.rows[i].counter - kind_.rows[i - 1].counter);
  }
  gap_ = gaps.empty() ? 1 : middle(gaps);
  base_.counted = kind_.counter != 0;
  // 0, 10, 20 and 9, 19, 29 begin with 0; 10, 20, 30 with 1.
  const bool before_round = gap_ > 1 && std::fmod(least + 1, gap_) == 0;
  base_.zero_based = least == 0 || (before_round && std::fmod(least, gap_) != 0);
}

std::size_t ClassFacts::parts_by(std::size_t column) const {
  std::map<std::size_t, std::size_t> lengths;  // of what has the same counter
  std::size_t length = 1;
  std::size_t steps = 0;
  for (std::size_t i = 1; i < kind_.rows.size(); ++i) {
    const bool same = kind_.rows[i].counter == kind_.rows[i - 1].counter;
    const double rise = kind_.at(kind_.rows[i], column) - kind_.at(kind_.rows[i - 1], column);
    if (same && rise != 1) return 1;
    if (!same) {
      // The parts of the next step are counted from the same number on.
      lengths[rise == 1 - static_cast<double>(length) ? length : 0] += 1;
      ++steps;
    }
    length = same ? length + 1 : 1;
  }
  for (const auto& [parts, count] : lengths)
    if (parts > 1 && 10 * count >= 9 * steps) return parts;
  return 1;
}

void ClassFacts::find_parts() {
  for (std::size_t i = 0; i < kind_.columns.size() && base_.parts == 1; ++i)
    if (counts_parts(kind_.columns[i])) base_.parts = parts_by(i);
}

bool ClassFacts::repeats(std::size_t column) const {
  std::size_t same = 0;
  std::size_t other = 0;
  for (std::size_t i = 1; i < kind_.rows.size(); ++i) {
    if (kind_.rows[i].counter != kind_.rows[i - 1].counter) continue;
    const bool repeated = kind_.at(kind_.rows[i], column) == kind_.at(kind_.rows[i - 1], column);
    (repeated ? same : other) += 1;
  }
  return other == 0 && same > 0;
}

PaceRules ClassFacts::rules_for(std::optional<std::size_t> column) const {
  PaceRules rules = base_;
  std::size_t rows = 0;
  std::size_t full = 0;
  std::size_t moves = 0;
  double before = not_known;
  for (const LineClass::Row& row : kind_.rows) {
    if (column && !std::isfinite(kind_.at(row, *column))) continue;
    ++rows;
    full += row.counter == row.total ? 1 : 0;
    moves += row.counter != before ? 1 : 0;
    before = row.counter;
  }
  if (rules.parts > 1 && column && repeats(*column)) rules.parts = 1;
  rules.full_passes = rows > 0 && 10 * full >= 9 * rows && 2 * moves < rows + 2;
  return rules;
}

double ClassFacts::typical_of(std::size_t column) const {
  std::vector<double> values;
  for (const LineClass::Row& row : kind_.rows) {
    const double value = kind_.at(row, column);
    if (std::isfinite(value)) values.push_back(value);
  }
  return middle(values);
}

}  // namespace trainmark
