#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "report/audit/claim_columns.h"
#include "report/published/csv_rows.h"

namespace trainmark {

namespace {

[[noreturn]] void fail_in(const std::filesystem::path& table, std::size_t line,
                          const std::string& words) {
  throw UserError(fmt::format("{}:{}: {}", table.string(), line, words));
}

/// Which field each column tells. Of several columns for one field the first counts.
std::vector<std::optional<ClaimField>> fields_of_columns(const CsvRow& header,
                                                         const std::filesystem::path& table) {
  std::vector<std::optional<ClaimField>> fields;
  for (const std::string& heading : header.fields) {
    auto field = claim_field(heading);
    if (field && std::find(fields.begin(), fields.end(), field) != fields.end()) field.reset();
    fields.push_back(field);
  }
  for (const ClaimField needed : {ClaimField::log, ClaimField::published}) {
    if (std::find(fields.begin(), fields.end(), needed) != fields.end()) continue;
    fail_in(table, header.line,
            fmt::format("no column names the {}; the first line names the columns, and one of them "
                        "must be called {}",
                        needed == ClaimField::log ? "log" : "published figure",
                        claim_field_words(needed)));
  }
  return fields;
}

}  // namespace

Claims csv_claims(const std::string& text, const std::filesystem::path& table) {
  const std::vector<CsvRow> rows = csv_rows(text, table);
  if (rows.empty()) fail_in(table, 1, "the table is empty; its first line names the columns");
  const auto fields = fields_of_columns(rows.front(), table);
  Claims claims;
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    if (row->fields.size() != fields.size())
      fail_in(table, row->line,
              fmt::format("{}, but {}", counted(row->fields.size(), "field"),
                          counted(fields.size(), "column")));
    Claim claim;
    claim.line = row->line;
    for (const bool later : {false, true}) {  // a global batch needs the GPUs
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (!fields[i] || (*fields[i] == ClaimField::global_batch) != later) continue;
        if (!set_field(claim, *fields[i], row->fields[i]))
          fail_in(table, row->line,
                  fmt::format("'{}' in the column '{}' is not a number above 0",
                              printable(row->fields[i]), printable(rows.front().fields[i])));
      }
    }
    if (claim.log.empty()) fail_in(table, row->line, "this row names no log");
    if (claim.published > 0) {
      claims.all.push_back(std::move(claim));
    } else {
      ++claims.without_figure;
    }
  }
  return claims;
}

}  // namespace trainmark
