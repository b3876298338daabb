#include "report/published/csv_rows.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace trainmark {

namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::filesystem::path& file)
      : text_(without_byte_order_mark(text)), file_(file) {}

  std::vector<CsvRow> read() {
    std::vector<CsvRow> rows;
    while (at_ < text_.size()) {
      const std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
      if (trim(line).empty() || trim(line).starts_with('#')) {
        at_ += line.size() + 1;
        ++line_;
      } else {
        rows.push_back(read_row());
      }
    }
    return rows;
  }

 private:
  CsvRow read_row() {
    CsvRow row{line_, std::vector<std::string>(1)};
    bool quoted = false;
    while (at_ < text_.size()) {
      const char letter = text_[at_++];
      if (letter == '\n') ++line_;
      if (letter == '\n' && !quoted) break;
      std::string& field = row.fields.back();
      if (letter == '"' && quoted && at_ < text_.size() && text_[at_] == '"') {
        field += '"';
        ++at_;
      } else if (letter == '"') {
        quoted = !quoted;
      } else if (letter == ',' && !quoted) {
        row.fields.emplace_back();
      } else if (letter != '\r') {
        field += letter == '\n' ? ' ' : letter;
      }
    }
    if (quoted) {
      throw UserError(
          fmt::format("{}:{}: unclosed quote; write \"\" for a "
                      "quote inside a field",
                      file_.string(), row.line));
    }
    for (std::string& field : row.fields) field = std::string(trim(field));
    return row;
  }

  std::string_view text_;
  const std::filesystem::path& file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

std::vector<CsvRow> csv_rows(std::string_view text, const std::filesystem::path& file) {
  return CsvReader(text, file).read();
}

}  // namespace trainmark
