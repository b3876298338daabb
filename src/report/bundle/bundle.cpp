#include "report/bundle/bundle.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <sstream>

#include "base/archive.h"
#include "base/error.h"
#include "base/files.h"
#include "base/secrets.h"
#include "base/text.h"
#include "base/waiting.h"
#include "journal/journal.h"
#include "report/content/report.h"
#include "report/content/result_json.h"
#include "report/content/suite_command.h"
#include "report/plots/plot_names.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_log = 256 << 20;  // bytes; the bench itself keeps 33 MiB
constexpr std::string_view journal_name = "journal.jsonl";

[[noreturn]] void refuse_secret(const std::string& what) {
  throw UserError(fmt::format(
      "{} holds what may be a secret, and a bundle would publish it. Measure again without "
      "--keep-secrets, or also give --keep-secrets here",
      what));
}

/// Journals are written without secrets, unless --keep-secrets asks for them or an old version of
/// Trainmark wrote them.
void refuse_secrets(const JournalContents& contents) {
  Secrets secrets;
  for (const RunRecord& run : contents.runs) {
    for (const auto& [name, hidden] : secrets.hide(run.variables)) {
      if (hidden != run.variables.at(name))
        refuse_secret(fmt::format("run {}: the variable {}", printable(run.id), printable(name)));
    }
    if (secrets.hide(run.command) != run.command)
      refuse_secret(fmt::format("run {}: its command", printable(run.id)));
  }
  for (const SuiteRecord& suite : contents.suites) {
    if (secrets.hide(std::string_view(suite.text)) != suite.text)
      refuse_secret(fmt::format("the suite '{}'", printable(suite.name)));
  }
}

std::int64_t time_of(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

void add_report(ArchiveWriter& archive, const std::string& top, const JournalContents& contents,
                const std::vector<Result>& results, const std::string& format) {
  PlotNames plots("report-plots");
  ReportOptions options;
  options.add_plot = [&](const std::string& name, const std::string& svg) {
    return plots.add(name, svg);
  };
  std::ostringstream text;
  Registry<ReportFormat>::find(format)->write({contents, results, Language::en, options}, text);
  archive.add(top + "report." + format, text.str());
  for (const auto& [path, svg] : plots.all()) archive.add(top + path, svg);
}

/// The logs and events of the runs: regular files only, no links.
void add_runs(ArchiveWriter& archive, const std::string& top, const fs::path& folder) {
  std::set<fs::path> files;  // in an order that does not depend on the disk
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder / "runs", error), end; !error && entry != end;
       entry.increment(error))
    if (entry->is_regular_file() && !entry->is_symlink()) files.insert(entry->path());
  for (const fs::path& file : files) {
    const std::string name = file.lexically_relative(folder).generic_string();
    if (is_inner_path(name)) archive.add(top + name, read_file(file, largest_log));
  }
}

/// A folder for one process, which is removed with what is in it.
fs::path new_folder() {
  std::string name = (fs::temp_directory_path() / "trainmark-bundle-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw SystemError(fmt::format("cannot create a folder in {}: {}",
                                  fs::temp_directory_path().string(), std::strerror(errno)));
  return name;
}

/// "quick-20261115/runs/a.log" lies at "runs/a.log"; nothing for what is not read.
std::string place_of_entry(const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string inner = slash == std::string::npos ? "" : name.substr(slash + 1);
  return inner == journal_name || inner.starts_with("runs/") ? inner : "";
}

}  // namespace

bool is_bundle(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

void write_bundle(const JournalContents& contents, const fs::path& file, bool keep_secrets) {
  if (!keep_secrets) refuse_secrets(contents);
  const fs::path folder = contents.folder;
  const std::vector<Result> results = results_of(contents);
  std::string journal = read_file(folder / journal_name, SIZE_MAX);
  journal.resize(journal.rfind('\n') + 1);  // a running bench may be at its last line
  const fs::path whole = fs::absolute(folder).lexically_normal();
  const fs::path last = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  const std::string top = plain_name(last.string(), "results") + "/";

  ArchiveWriter archive(file, time_of(folder / journal_name));
  archive.add(top + std::string(journal_name), journal);
  add_report(archive, top, contents, results, "html");
  add_report(archive, top, contents, results, "md");
  std::set<std::string> names;
  for (const SuiteRecord* suite : different_suites(contents.suites)) {
    std::string name = plain_name(suite_file(*suite), "suite.yaml");
    for (int copy = 2; !names.insert(name).second; ++copy)
      name = fmt::format("{}-{}", copy, plain_name(suite_file(*suite), "suite.yaml"));
    archive.add(top + "suites/" + name, suite->text);
  }
  for (const auto& [id, environment] : contents.environments)
    archive.add(top + "environments/" + plain_name(id, "environment") + ".json",
                json_text(environment, 1) + "\n");
  add_runs(archive, top, folder);
  archive.finish();
}

OpenedResults::OpenedResults(const fs::path& path) {
  const Waiting waiting(fmt::format("reading {}", printable(path.string())));
  if (!is_bundle(path)) {
    contents_ = read_journal(path);
  } else {
    noted_.emplace();
    unpacked_ = new_folder();
    try {
      unpack_archive(path, unpacked_, [](const std::string& name) {
        stop_if_interrupted();
        return place_of_entry(name);
      });
      if (!has_journal(unpacked_)) {
        throw UserError(fmt::format(
            "{} holds no journal; give a file that `trainmark report --bundle` has written",
            printable(path.string())));
      }
      contents_ = read_journal(unpacked_);
    } catch (...) {
      std::error_code error;
      fs::remove_all(unpacked_, error);
      throw;
    }
    for (std::string& line : contents_.damage) {
      const std::string prefix = unpacked_.string();
      if (line.starts_with(prefix)) line.replace(0, prefix.size(), path.string());
    }
  }
  results_ = results_of(contents_);
}

OpenedResults::~OpenedResults() {
  std::error_code error;
  if (!unpacked_.empty()) fs::remove_all(unpacked_, error);
}

std::vector<std::string> journals_in(const std::string& path) {
  if (is_bundle(path) || has_journal(path)) return {path};
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    const fs::path& place = entry.path();
    if (has_journal(place) || (is_bundle(place) && place.string().ends_with(".tar.zst")))
      found.push_back(place.string());
  }
  std::sort(found.begin(), found.end());
  if (found.empty()) {
    throw UserError(fmt::format(
        "{} holds no journal, nor does any folder in it; give folders that `trainmark run` has "
        "written, bundles, or the folder they are in",
        printable(path)));
  }
  return found;
}

}  // namespace trainmark
