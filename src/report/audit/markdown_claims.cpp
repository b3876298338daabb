#include <algorithm>

#include "base/text.h"
#include "report/audit/claim_columns.h"

namespace trainmark {

namespace {

struct Link {
  std::string words;
  std::string target;
};

struct TableField {
  std::string text;  // links replaced by their words
  std::vector<Link> links;
};

/// [words](target "title"), outside of which the text stays as it is. Pictures and addresses
/// elsewhere are no links to logs.
TableField read_field(std::string_view raw) {
  TableField field;
  std::size_t at = 0;
  while (at < raw.size()) {
    const std::size_t open = raw.find('[', at);
    const std::size_t middle = open == std::string_view::npos ? open : raw.find("](", open);
    const std::size_t close = middle == std::string_view::npos ? middle : raw.find(')', middle);
    if (close == std::string_view::npos) break;
    const std::string words(trim(raw.substr(open + 1, middle - open - 1)));
    std::string_view target = trim(raw.substr(middle + 2, close - middle - 2));
    target = target.substr(0, target.find_first_of(" #"));
    if (target.starts_with('<') && target.ends_with('>'))
      target = target.substr(1, target.size() - 2);
    const bool picture = open > 0 && raw[open - 1] == '!';
    field.text += std::string(raw.substr(at, open - at)) + words;
    if (!picture && !target.empty() && target.find("://") == std::string_view::npos &&
        !target.starts_with("mailto:"))
      field.links.push_back({words, std::string(target)});
    at = close + 1;
  }
  field.text += raw.substr(at);
  std::erase_if(field.text, [](char sign) { return sign == '*' || sign == '`'; });
  field.text = std::string(trim(field.text));
  return field;
}

std::vector<TableField> fields_of_row(std::string_view line) {
  line = trim(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<TableField> fields;
  for (const std::string& raw : split(line, '|')) fields.push_back(read_field(raw));
  return fields;
}

/// |:--|--:|
bool is_ruler(std::string_view line) {
  line = trim(line);
  return line.find("--") != std::string_view::npos && line.find('|') != std::string_view::npos &&
         line.find_first_not_of("|-: ") == std::string_view::npos;
}

/// "images/s" in a heading; "BS=96" and "FP32" there, too.
void read_heading(std::string_view heading, Claim& claim) {
  std::string word;
  const auto take = [&] {
    std::string small;
    for (const char letter : word)
      small += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    for (const char* precision : {"fp32", "fp16", "amp", "bf16", "tf32", "fp64"})
      if (small == precision && claim.precision.empty()) claim.precision = small;
    for (const char* front : {"bs=", "batch="})
      if (small.starts_with(front) && !claim.batch)
        set_field(claim, ClaimField::batch, small.substr(std::string_view(front).size()));
    const bool rate = small.ends_with("/s") || small.ends_with("/sec");
    if (rate && claim.unit.empty()) claim.unit = small;
    word.clear();
  };
  for (const char letter : heading) {
    if (std::string_view(" ()[],;<>").find(letter) == std::string_view::npos) {
      word += letter;
    } else {
      take();
    }
  }
  take();
}

class MarkdownTables {
 public:
  Claims read(const std::string& text) {
    const std::vector<std::string> lines = split(text, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with('#'))
        heading_ = std::string(trim(std::string_view(lines[i]).substr(
            std::min(lines[i].find_first_not_of('#'), lines[i].size()))));
      if (i + 1 >= lines.size() || lines[i].find('|') == std::string::npos ||
          !is_ruler(lines[i + 1]))
        continue;
      headings_ = fields_of_row(lines[i]);
      for (i += 2; i < lines.size() && lines[i].find('|') != std::string::npos; ++i)
        read_row(fields_of_row(lines[i]), i + 1);
      --i;
    }
    return std::move(claims_);
  }

 private:
  std::optional<ClaimField> field_at(std::size_t column) const {
    return column < headings_.size() ? claim_field(headings_[column].text) : std::nullopt;
  }

  /// What the other columns of the row tell.
  Claim begin_claim(const std::vector<TableField>& row, std::size_t line) const {
    Claim claim;
    claim.line = line;
    claim.label = heading_;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto field = field_at(i);
      if (!field || *field == ClaimField::log || *field == ClaimField::published) continue;
      set_field(claim, *field, row[i].text);
    }
    return claim;
  }

  void add(Claim claim, const TableField& figure, std::size_t column, const std::string& log) {
    claim.log = log;
    set_field(claim, ClaimField::published, figure.text);
    if (column < headings_.size()) read_heading(headings_[column].text, claim);
    if (claim.published > 0) {
      claims_.all.push_back(std::move(claim));
    } else {
      ++claims_.without_figure;
    }
  }

  void read_row(const std::vector<TableField>& row, std::size_t line) {
    const Claim begun = begin_claim(row, line);
    const TableField* log = nullptr;  // in a column of its own
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].links.empty()) continue;
      if (number_in_front(row[i].text)) {
        add(begun, row[i], i, row[i].links.front().target);
      } else {
        log = &row[i];
      }
    }
    if (log == nullptr) return;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (&row[i] == log || !row[i].links.empty() || !is_figure_column(i)) continue;
      add(begun, row[i], i, log->links.front().target);
    }
  }

  bool is_figure_column(std::size_t column) const {
    const auto field = field_at(column);
    if (field) return *field == ClaimField::published;
    Claim named;
    if (column < headings_.size()) read_heading(headings_[column].text, named);
    return !named.unit.empty();
  }

  Claims claims_;
  std::string heading_;
  std::vector<TableField> headings_;
};

}  // namespace

Claims markdown_claims(const std::string& text) {
  return MarkdownTables().read(text);
}

}  // namespace trainmark
