#include "logs/log_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "logs/text/line_reader.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_files = 100'000;

struct Ending {
  std::string_view name;
  NoLog kind;
};

constexpr auto endings = std::to_array<Ending>({
    {".md", NoLog::document},    {".rst", NoLog::document},    {".html", NoLog::document},
    {".htm", NoLog::document},   {".pdf", NoLog::document},    {".docx", NoLog::document},
    {".csv", NoLog::table},      {".tsv", NoLog::table},       {".xlsx", NoLog::table},
    {".xls", NoLog::table},      {".parquet", NoLog::table},   {".py", NoLog::source},
    {".ipynb", NoLog::source},   {".sh", NoLog::source},       {".c", NoLog::source},
    {".cc", NoLog::source},      {".cpp", NoLog::source},      {".cu", NoLog::source},
    {".h", NoLog::source},       {".hpp", NoLog::source},      {".js", NoLog::source},
    {".r", NoLog::source},       {".sbatch", NoLog::source},   {".slurm", NoLog::source},
    {".patch", NoLog::source},   {".diff", NoLog::source},     {".png", NoLog::picture},
    {".jpg", NoLog::picture},    {".jpeg", NoLog::picture},    {".gif", NoLog::picture},
    {".svg", NoLog::picture},    {".tar", NoLog::archive},     {".tgz", NoLog::archive},
    {".zip", NoLog::archive},    {".7z", NoLog::archive},      {".tar.gz", NoLog::archive},
    {".tar.xz", NoLog::archive}, {".tar.zst", NoLog::archive}, {".yaml", NoLog::settings},
    {".yml", NoLog::settings},   {".toml", NoLog::settings},   {".ini", NoLog::settings},
    {".cfg", NoLog::settings},   {".conf", NoLog::settings},   {".lock", NoLog::settings},
});

// Programs print their own source at the head of some of these: names count for more than content.
constexpr auto log_endings =
    std::to_array<std::string_view>({".log", ".txt", ".out", ".err", ".json", ".jsonl", ".ndjson"});

std::string lower_name(const fs::path& path) {
  std::string name = path.filename().string();
  for (char& letter : name)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return name;
}

std::string without_packing(std::string name) {
  for (const std::string_view packed : {".gz", ".zst", ".xz"})
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  return name;
}

std::optional<PassedOver> judge_name(const fs::path& path) {
  const std::string name = lower_name(path);
  const std::string plain = without_packing(name);
  for (const std::string_view words : {"readme", "license", "changelog", "makefile", "dockerfile"})
    if (plain.substr(0, plain.find('.')) == words)
      return PassedOver{path.string(), NoLog::document, "its name says that it is not a log"};
  for (const Ending& ending : endings) {
    if (!name.ends_with(ending.name) && !plain.ends_with(ending.name)) continue;
    return PassedOver{path.string(), ending.kind,
                      fmt::format("files that end in {} are not logs", ending.name)};
  }
  return std::nullopt;
}

bool is_named_like_log(const fs::path& path) {
  const std::string plain = without_packing(lower_name(path));
  return std::any_of(log_endings.begin(), log_endings.end(),
                     [&](std::string_view end) { return plain.ends_with(end); });
}

/// Three lines with the same number of fields, none of which is a sentence.
bool looks_like_table(const std::vector<std::string>& lines) {
  if (lines.size() < 3) return false;
  for (const char comma : {',', '\t', ';'}) {
    const auto fields = std::count(lines[0].begin(), lines[0].end(), comma);
    if (fields < 2) continue;
    const bool alike = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return std::count(line.begin(), line.end(), comma) == fields &&
             line.find(": ") == std::string::npos;
    });
    if (alike && lines[0].find_first_of("0123456789") == std::string::npos) return true;
  }
  return false;
}

std::optional<NoLog> judge_front(const std::vector<std::string>& lines) {
  if (lines.empty()) return std::nullopt;
  const std::string_view first = trim(lines.front());
  for (const std::string_view begin : {"#!", "#include", "#pragma", "import ", "from __future__"})
    if (first.starts_with(begin)) return NoLog::source;
  for (const std::string_view begin : {"<!DOCTYPE", "<html", "<?xml", "%PDF"})
    if (first.starts_with(begin)) return NoLog::document;
  if (looks_like_table(lines)) return NoLog::table;
  return std::nullopt;
}

/// The first lines that are not empty, of what can be opened at all.
std::optional<PassedOver> judge_content(const fs::path& path) {
  std::vector<std::string> lines;
  try {
    LineReader reader(open_log(path));
    std::string_view line;
    for (int looked = 0; looked < 50 && lines.size() < 3 && reader.next(line); ++looked)
      if (!trim(line).empty()) lines.emplace_back(line.substr(0, 1000));
  } catch (const UserError& error) {
    const std::string why = error.what();
    const bool empty = why.find("it is empty") != std::string::npos;
    return PassedOver{path.string(), empty ? NoLog::empty : NoLog::unreadable, why};
  }
  if (is_named_like_log(path)) return std::nullopt;
  const auto kind = judge_front(lines);
  if (!kind) return std::nullopt;
  return PassedOver{path.string(), *kind,
                    fmt::format("its first lines are those of a {}", text(*kind, 0))};
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(
           folder, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const bool hidden = entry->path().filename().string().starts_with('.');
    if (hidden && entry->is_directory(ignored)) entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file(ignored)) files.push_back(entry->path());
    if (files.size() > most_files) {
      throw UserError(fmt::format("{} holds more than {} files; name a folder of logs",
                                  folder.string(), most_files));
    }
  }
  if (error) throw UserError(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::string text(NoLog why, std::size_t count) {
  const auto words = [&](const char* one, const char* many) {
    return count == 0 ? std::string(one) : fmt::format("{} {}", count, count == 1 ? one : many);
  };
  switch (why) {
    case NoLog::document:
      return words("document", "documents");
    case NoLog::table:
      return words("table", "tables");
    case NoLog::source:
      return words("source file", "source files");
    case NoLog::picture:
      return words("picture", "pictures");
    case NoLog::archive:
      return words("archive", "archives");
    case NoLog::settings:
      return words("file of settings", "files of settings");
    case NoLog::empty:
      return words("empty file", "empty files");
    case NoLog::unreadable:
      return words("unreadable or binary file", "unreadable or binary files");
    case NoLog::silent:
      return words("file without a record", "files without a record");
  }
  return "";
}

FolderContents find_logs(const fs::path& folder) {
  FolderContents contents;
  for (fs::path& file : files_below(folder)) {
    auto other = judge_name(file);
    if (!other) other = judge_content(file);
    if (other) {
      contents.others.push_back(std::move(*other));
    } else {
      contents.logs.push_back(std::move(file));
    }
  }
  return contents;
}

std::string passed_over_text(const std::vector<PassedOver>& files) {
  if (files.empty()) return "";
  std::map<NoLog, std::size_t> counts;
  for (const PassedOver& file : files) ++counts[file.kind];
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts) parts.push_back(text(kind, count));
  return fmt::format("{} {} skipped: {}", counted(files.size(), "file"),
                     files.size() == 1 ? "was" : "were", join(parts, ", "));
}

}  // namespace trainmark
