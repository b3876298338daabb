#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainmark {

/// A figure that somebody has published, and the log that it should follow from.
struct Claim {
  std::size_t line = 0;        // of the table
  std::string log;             // as the table writes it
  std::filesystem::path path;  // of that log, below the folder of logs
  double published = 0;
  std::string unit;
  std::optional<int> gpus, nodes, batch;  // of the job; batch: of one GPU
  std::string precision;
  std::string rule;   // an author's rule, where the table tells it (docs/dialects.md)
  std::string label;  // model, heading: what helps a reader
};

/// A table of claims, as it was read.
struct Claims {
  std::vector<Claim> all;
  std::size_t without_figure = 0;  // rows with a log that publish nothing
};

/// Reads the claims of a CSV (docs/audit.md names its columns) or, where the name ends in .md, of
/// the tables of a Markdown page whose cells link to logs. Tables are not trusted: a log that does
/// not lie below `folder`, links followed, is refused. UserError with file and line.
Claims read_claims(const std::filesystem::path& table, const std::filesystem::path& folder);

// For the two kinds of tables.

Claims csv_claims(const std::string& text, const std::filesystem::path& table);
Claims markdown_claims(const std::string& text);

}  // namespace trainmark
