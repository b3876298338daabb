// Translations as lines of token ids, separated by blanks. Either both sides are in one line with a
// tab between
// (*.tsv, *.ids), or the sides are files of their own with as many lines (NAME.src, NAME.tgt).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"
#include "data/formats/fresh_item.h"
#include "data/formats/in_parallel.h"
#include "data/formats/input_file.h"
#include "data/formats/line_index.h"
#include "data/formats/sharded_index.h"
#include "data/formats/shards.h"
#include "data/formats/staged_folder.h"
#include "data/formats/text_shards.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t longest_line = 1 << 20;
constexpr std::size_t bytes_looked_at = 1 << 16;  // to recognize the format

fs::path other_side(const fs::path& file) {
  fs::path other = file;
  return other.replace_extension(file.extension() == ".src" ? ".tgt" : ".src");
}

bool is_side(const fs::path& file) {
  return file.extension() == ".src" || file.extension() == ".tgt";
}

bool may_be_lines(const std::string& name) {
  return name.ends_with(".tsv") || name.ends_with(".ids") || name.ends_with(".src");
}

/// Files with both sides, and the sources of pairs.
std::vector<fs::path> line_files(const fs::path& path, Split split) {
  // Whichever side is named, the pair is meant.
  return shards_at(path.extension() == ".tgt" ? other_side(path) : path, may_be_lines, split);
}

/// The targets of these sources, in their order; of files with both sides the file itself.
std::vector<fs::path> target_files(std::vector<fs::path> files) {
  for (fs::path& file : files)
    if (is_side(file)) file = other_side(file);
  return files;
}

std::string line_of(const InputFile& file, const LineIndex& index, std::size_t line) {
  const std::uint64_t begin = index.begins[line];
  const std::uint64_t size = index.begins[line + 1] - begin;
  if (size > longest_line)
    throw BadItem(fmt::format("the line has {} bytes, more than {}", size, longest_line));
  std::string text(size, '\0');
  file.read(begin, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return line == 0 ? std::string(without_byte_order_mark(text)) : text;
}

void parse_ids(std::string_view text, const char* side, std::vector<std::int32_t>& ids) {
  ids.clear();
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    const std::string_view word = text.substr(0, text.find(' '));
    std::int32_t id = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc() || end != word.data() + word.size() || word.front() == '-')
      throw BadItem(fmt::format("'{}' in its {} is not a token id, a whole number from 0 to {}",
                                printable(word, 40), side, INT32_MAX));
    ids.push_back(id);
    text.remove_prefix(word.size());
  }
  if (ids.empty()) throw BadItem(fmt::format("its {} is empty", side));
}

class TokenLines : public DataSet {
 public:
  TokenLines(const fs::path& path, const std::vector<fs::path>& files)
      : sources_(files),
        targets_(target_files(files)),
        source_lines_(sources_.count()),
        target_lines_(sources_.count()) {
    in_parallel(sources_.count(), [&](std::size_t shard) { index(shard); });
    for (const LineIndex& lines : source_lines_)
      lines_.add_shard(static_cast<std::size_t>(lines.lines()));
    if (lines_.size() == 0)
      throw UserError(fmt::format("{}: it holds no lines", printable(path.string())));
  }

  std::string format() const override { return "token-lines"; }
  std::string kind() const override { return kind::sentence_pairs; }
  std::int64_t size() const override { return lines_.size(); }

  std::int32_t length(std::int64_t index) const override {
    const ShardedIndex::Place place = lines_[index];
    return is_pair(place.shard) ? target_lines_[place.shard].words[place.number]
                                : source_lines_[place.shard].words_behind[place.number];
  }

  std::int32_t source_length(std::int64_t index) const override {
    const ShardedIndex::Place place = lines_[index];
    return source_lines_[place.shard].words[place.number];
  }

  void read(std::int64_t index, Item& item) const override {
    const auto [shard, line] = lines_[index];
    freshen(item);
    item.name = fmt::format("{}:{}", sources_[shard].name(), line + 1);
    const std::string text = line_of(sources_[shard], source_lines_[shard], line);
    if (is_pair(shard)) {
      parse_ids(text, "source", item.tokens);
      parse_ids(line_of(targets_[shard], target_lines_[shard], line), "target", item.target);
      return;
    }
    const std::size_t tab = text.find('\t');
    if (tab == std::string::npos)
      throw BadItem("there is no tab between the ids of its source and those of its target");
    parse_ids(std::string_view(text).substr(0, tab), "source", item.tokens);
    parse_ids(std::string_view(text).substr(tab + 1), "target", item.target);
  }

 private:
  bool is_pair(std::size_t shard) const { return is_side(sources_[shard].path()); }

  void index(std::size_t shard) {
    LineIndex& sources = source_lines_[shard];
    LineIndex& targets = target_lines_[shard];
    sources = index_lines(sources_[shard], !is_pair(shard));
    if (!is_pair(shard)) return;
    targets = index_lines(targets_[shard], false);
    if (sources.lines() != targets.lines())
      throw UserError(
          fmt::format("{} has {} lines, but {} has {}; line N of one must be the "
                      "translation of line N of the other",
                      printable(sources_[shard].path().string()), sources.lines(),
                      targets_[shard].name(), targets.lines()));
  }

  Shards sources_, targets_;  // the same files where both sides are in one
  std::vector<LineIndex> source_lines_, target_lines_;  // of each shard; the second of pairs
  ShardedIndex lines_;
};

class TokenLinesWriter : public DataSetWriter {
 public:
  explicit TokenLinesWriter(const WriterSettings& settings)
      : split_(settings.split),
        stage_(folder_for_shards(settings.folder, settings.split)),
        items_per_shard_(settings.items_per_shard) {}

  void write(const Item& item) override {
    TRAINMARK_ASSERT(!item.tokens.empty() && !item.target.empty());
    if (!file_) file_.emplace(stage_.path() / shard_name(split_, shards_++, ".tsv"));
    file_->write(fmt::format("{}\t{}\n", fmt::join(item.tokens, " "), fmt::join(item.target, " ")));
    if (++items_ >= items_per_shard_) close_shard();
  }

  void finish() override {
    if (file_) close_shard();
    stage_.publish();
  }

 private:
  void close_shard() {
    file_->close();
    file_.reset();
    items_ = 0;
  }

  Split split_;
  StagedFolder stage_;
  std::int64_t items_per_shard_;
  std::size_t shards_ = 0;
  std::int64_t items_ = 0;  // of the shard that is open
  std::optional<OutputFile> file_;
};

/// Whether one of the first lines is made of ids; other tables end in .tsv, too.
bool looks_like_ids(const fs::path& file) {
  const std::ptrdiff_t tabs = is_side(file) ? 0 : 1;
  const std::vector<std::string> lines = split(beginning_of(file, bytes_looked_at), '\n');
  return std::ranges::any_of(lines, [&](const std::string& line) {
    return line.find_first_not_of("0123456789 \t\r") == std::string::npos &&
           line.find_first_of("0123456789") != std::string::npos &&
           std::ranges::count(line, '\t') == tabs;
  });
}

bool recognizes(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const fs::path ending = path.extension();
    return (is_side(path) || ending == ".tsv" || ending == ".ids") && looks_like_ids(path);
  }
  return has_shards(path, may_be_lines) &&
         std::ranges::any_of(line_files(path, Split::training), looks_like_ids);
}

std::unique_ptr<DataSet> open_token_lines(const fs::path& path, Split split) {
  const std::vector<fs::path> files = line_files(path, split);
  return files.empty() ? nullptr : std::make_unique<TokenLines>(path, files);
}

const Registration<Format> registered(
    "token-lines",
    {"translations as lines of token ids: *.tsv or *.ids with a tab, or NAME.src beside NAME.tgt",
     {kind::sentence_pairs},
     recognizes,
     open_token_lines,
     [](const WriterSettings& settings) { return std::make_unique<TokenLinesWriter>(settings); }});

}  // namespace

}  // namespace trainmark::data
