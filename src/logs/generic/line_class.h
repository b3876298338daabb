#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "logs/generic/line_fields.h"
#include "logs/generic/phase.h"
#include "logs/generic/table_rows.h"
#include "logs/grammar/record.h"

namespace trainmark {

/// A field of a kind of lines, with its values over the lines.
struct FieldColumn {
  std::uint64_t id = 0;
  LineField::Kind kind = LineField::Kind::number;
  Quantity quantity = {};
  std::string words;
  std::string unit;  // as it is printed
  bool bracketed = false;
  bool unit_behind = false;
  bool whole = true;
  bool elapsed = false;  // `00:10<00:12`: a progress bar's own clock
  bool of_bar = false;   // the bar's own rate
  bool front = false;    // nothing but signs in front of it
  bool behind_slash = false;
  bool before_slash = false;
  std::size_t order = 0;  // among the fields of its line
  std::size_t count = 0;  // of lines that have it
  double resolution = 0;  // the coarsest, as it is printed, in the quantity's unit
};

/// Lines that begin alike and have a counter at the same place.
struct LineClass {
  struct Cell {
    std::uint32_t column = 0;
    double value = 0;
  };
  struct Row {
    double counter = not_known;
    double total = not_known;
    double heading = not_known;  // the epoch that a line of its own has begun
    double arrival = not_known;
    std::uint32_t begin = 0;  // of its cells
    std::uint32_t end = 0;
  };
  std::uint64_t lead = 0;
  std::uint64_t counter = 0;  // 0: none; every line counts for one
  std::uint64_t total = 0;
  std::string counter_words;
  std::string lead_text;  // of its first line
  std::string first_line;
  std::string last_line;
  bool is_json = false;
  int rank = -1;      // that prints it first
  bool dead = false;  // what looked like a counter does not count
  std::vector<FieldColumn> columns;
  std::vector<Cell> cells;
  std::vector<Row> rows;
  std::size_t lines = 0;                       // rows may be fewer
  std::size_t last_seen = 0;                   // number of the line
  std::size_t rises = 0, falls = 0, full = 0;  // of the counter
  PhaseFollower::Kind phase;

  /// The value of a column in a row; NaN where the line does not have it.
  double at(const Row& row, std::size_t column) const;
};

/// Sorts the lines of a log by what they look like. Memory stays bounded, whatever comes.
class LineClasses {
 public:
  void look(std::string_view line, double arrival);

  std::vector<const LineClass*> all() const;
  std::size_t lines() const { return lines_; }

 private:
  void add(std::uint64_t key, const LineField* counter, const LineField* total, double arrival);
  void add_row(LineClass& kind, const LineField* counter, const LineField* total, double arrival);
  std::uint32_t column_of(LineClass& kind, const LineField& field, std::size_t order);
  void forget_rare();

  TableRows rows_;
  LineFields fields_;
  PhaseFollower phases_;
  std::unordered_map<std::uint64_t, LineClass> classes_;
  std::size_t lines_ = 0;
  std::size_t cells_ = 0;
  double heading_ = not_known;
  int rank_ = -1;  // of the line that is looked at
};

}  // namespace trainmark
