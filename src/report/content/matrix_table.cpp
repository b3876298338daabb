#include "report/content/matrix_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "report/content/figures.h"
#include "report/content/sameness.h"

namespace trainmark {

namespace {

/// Numbers of ranks that several scales have: their rows must say which is which.
std::set<int> ambiguous_ranks(const std::vector<MatrixRow>& rows) {
  std::map<int, Scale> first;
  std::set<int> ambiguous;
  for (const MatrixRow& row : rows) {
    const int ranks = row.scale.ranks();
    if (first.try_emplace(ranks, row.scale).first->second != row.scale) ambiguous.insert(ranks);
  }
  return ambiguous;
}

class MatrixMaker {
 public:
  MatrixMaker(const ReportInput& input, const WorkloadGroup& group, const PrecisionGroup& precision)
      : input_(input),
        group_(group),
        precision_(precision),
        proofs_(newest(input.contents.proofs)) {}

  MatrixTable make() {
    MatrixTable made;
    made.table.columns = columns();
    const std::vector<MatrixRow> rows =
        matrix_rows(precision_, wanted_batches(input_.contents.batches));
    const std::set<int> ambiguous = ambiguous_ranks(rows);
    for (const MatrixRow& row : rows)
      made.table.rows.push_back(cells_of(row, ambiguous.contains(row.scale.ranks())));
    const auto note = [&](bool used, Word word) {
      if (used) made.marks.push_back(say(word, input_.language));
    };
    note(batch_, Word::matrix_note_batch);
    note(remark_, Word::matrix_note_remark);
    note(proof_, Word::matrix_note_proof);
    note(accumulate_, Word::matrix_note_accumulate);
    note(!published().empty(), Word::matrix_note_published);
    made.reasons = std::move(reasons_);
    return made;
  }

 private:
  /// Those of this precision alone: an empty column would say that nobody has published any.
  std::vector<std::string> published() const {
    std::vector<std::string> names;
    for (const std::string& name : group_.published)
      if (std::any_of(precision_.published.begin(), precision_.published.end(),
                      [&](const Result* result) { return result->cell.framework == name; }))
        names.push_back(name);
    return names;
  }

  std::vector<std::string> own() const {
    std::vector<std::string> names = group_.frameworks;
    names.insert(names.end(), group_.planned.begin(), group_.planned.end());
    return names;
  }

  std::vector<Column> columns() const {
    std::vector<Column> columns = {
        {std::string(say(Word::parameters, input_.language)), Align::centre}};
    for (const std::string& framework : own()) columns.push_back({framework, Align::centre});
    for (const std::string& framework : published())
      columns.push_back({say(Word::published_column, input_.language, framework), Align::centre});
    return columns;
  }

  std::vector<TableCell> cells_of(const MatrixRow& row, bool ambiguous) {
    std::vector<TableCell> cells = {row.label(group_.device)};
    if (ambiguous) cells[0].text += " (" + row.scale.text() + ")";
    if (row.accumulate != 1) {
      cells[0].note = row.accumulate == unknown_accumulate
                          ? "AccGrad"
                          : fmt::format("AccGrad={}", row.accumulate);
      accumulate_ = true;
    }
    for (const std::string& framework : own()) cells.push_back(own_cell(row, framework));
    for (const std::string& framework : published()) {
      const auto found = row.published.find(framework);
      cells.push_back(found == row.published.end() ? TableCell("-")
                                                   : figure_cell(*found->second, row.batch));
    }
    return cells;
  }

  TableCell own_cell(const MatrixRow& row, const std::string& framework) {
    if (const auto found = row.results.find(framework); found != row.results.end()) {
      TableCell cell = figure_cell(*found->second, row.batch);
      if (found->second->runs.empty()) return cell;
      remark_ = add_mark(cell, found->second->verdicts.empty() ? "" : "!") || remark_;
      proof_ = add_mark(cell, proof_mark(*found->second)) || proof_;
      return cell;
    }
    const auto skip = row.skipped.find(framework);
    if (skip == row.skipped.end()) return "-";
    TableCell cell(input_.options.unicode ? "–" : "-");
    cell.note = std::to_string(number_of(detail_in(input_.language, skip->second->reason)));
    return cell;
  }

  static bool add_mark(TableCell& cell, const std::string& mark) {
    if (!mark.empty()) cell.note += cell.note.empty() ? mark : ", " + mark;
    return !mark.empty();
  }

  /// Whether this very figure is proven. A row of unmarked figures says that none is.
  std::string proof_mark(const Result& result) const {
    using State = Sameness::State;
    switch (sameness_of(proofs_, result).state) {
      case State::reference:
      case State::same:
        return "=";
      case State::differs:
        return input_.options.unicode ? "≠" : "!=";
      default:
        return "";
    }
  }

  TableCell figure_cell(const Result& result, int row_batch) {
    TableCell cell(result.runs.empty() ? failure_text(result, input_.language)
                                       : figure(result.throughput.value));
    if (result.cell.batch != row_batch) {
      cell.note = fmt::format("BS={}", result.cell.batch);
      batch_ = true;
    }
    return cell;
  }

  std::size_t number_of(const std::string& reason) {
    const auto found = std::find(reasons_.begin(), reasons_.end(), reason);
    const auto number = static_cast<std::size_t>(found - reasons_.begin()) + 1;
    if (found == reasons_.end()) reasons_.push_back(reason);
    return number;
  }

  const ReportInput& input_;
  const WorkloadGroup& group_;
  const PrecisionGroup& precision_;
  std::vector<Proof> proofs_;
  std::vector<std::string> reasons_;
  bool batch_ = false, remark_ = false, proof_ = false, accumulate_ = false;
};

}  // namespace

MatrixTable matrix_table(const ReportInput& input, const WorkloadGroup& group,
                         const PrecisionGroup& precision) {
  return MatrixMaker(input, group, precision).make();
}

std::vector<WorkloadGroup> report_groups(const ReportInput& input,
                                         const std::vector<Result>& published) {
  std::vector<WorkloadGroup> groups = group_results(input.results);
  add_skipped(groups, skipped_cells(input));
  add_published(groups, published);
  return groups;
}

}  // namespace trainmark
