#include "bisect/bisect.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/json_fields.h"
#include "base/text.h"
#include "base/version.h"
#include "launch/pipe.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_state = 64 << 20;
constexpr std::size_t most_listed = 20;  // commits of an answer that names several

/// One bisect in a folder at a time: its trees are those of all. Given back when it is closed.
Descriptor lock_folder(const fs::path& folder) {
  const fs::path path = folder / "lock";
  Descriptor lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock.is_open())
    throw SystemError(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    throw UserError(fmt::format(
        "another bisect is running in {}; wait for it, or choose another folder with --out",
        folder.string()));
  }
  return lock;
}

fs::path state_file(const fs::path& folder) {
  return folder / "bisect.json";
}

/// What a bisect must not forget, beside the journals of its commits.
class State {
 public:
  State(const BisectRequest& request) : file_(state_file(request.comparison.folder)) {
    json_ = {{"trainmark", version()},
             {"question", request.question},
             {"skipped", nlohmann::json::object()}};
    std::error_code error;
    if (fs::exists(file_, error)) take_up(request);
    make_folders(file_.parent_path());
    lock_ = lock_folder(file_.parent_path());
    write();
  }

  std::optional<std::string> why_skipped(const std::string& commit) const {
    const auto found = json_["skipped"].find(commit);
    if (found == json_["skipped"].end()) return std::nullopt;
    return found->get<std::string>();
  }

  void skip(const std::string& commit, const std::string& reason) {
    json_["skipped"][commit] = safe_text(reason, "");
    write();
  }

  void answer(nlohmann::json answer) {
    json_["answer"] = std::move(answer);
    write();
  }

 private:
  void take_up(const BisectRequest& request) {
    const std::string folder = request.comparison.folder.string();
    if (!request.resume) {
      throw UserError(fmt::format(
          "{} already holds a bisect; continue it with --resume, or choose another folder with "
          "--out",
          folder));
    }
    const auto before = nlohmann::json::parse(read_file(file_, largest_state), nullptr, false);
    const nlohmann::json* question = json_field(before, "question");
    if (question == nullptr)
      throw UserError(
          fmt::format("{} cannot be read; choose another folder with --out", file_.string()));
    for (const auto& [key, value] : request.question.items()) {
      const nlohmann::json* asked = json_field(*question, key);
      if (asked != nullptr && *asked == value) continue;
      throw UserError(fmt::format(
          "{} holds another bisect: its {} is {}, not {}; write the same, or choose another "
          "folder with --out",
          folder, key, asked == nullptr ? "missing" : printable(asked->dump(), 400),
          printable(value.dump(), 400)));
    }
    const nlohmann::json* skipped = json_field(before, "skipped");
    if (skipped != nullptr && skipped->is_object())
      for (const auto& [commit, reason] : skipped->items())
        if (reason.is_string()) json_["skipped"][commit] = reason;
  }

  void write() const { write_file_atomically(file_, json_.dump(2) + "\n"); }

  fs::path file_;
  Descriptor lock_;
  nlohmann::json json_;
};

const char* end_name(SearchEnd end) {
  switch (end) {
    case SearchEnd::found:
      return "found";
    case SearchEnd::less:
      return "slower-by-less";
    case SearchEnd::not_slower:
      return "not-slower";
    case SearchEnd::faster:
      return "faster";
    case SearchEnd::undecided:
      return "undecided";
    case SearchEnd::skipped:
      return "skipped";
  }
  return "undecided";
}

nlohmann::json ratio_json(const SlowDown& slow_down) {
  const PairedRatio ratio = slow_down.ratio();
  return {{"ratio", ratio.ratio},
          {"low", ratio.interval.low},
          {"high", ratio.interval.high},
          {"comparisons", slow_down.comparisons}};
}

nlohmann::json answer_json(const SearchResult& result) {
  nlohmann::json measured = nlohmann::json::object();
  for (const auto& [commit, slow_down] : result.measured) measured[commit] = ratio_json(slow_down);
  nlohmann::json answer = {{"end", end_name(result.end)},
                           {"comparisons", result.comparisons},
                           {"measured", measured},
                           {"suspects", result.suspects}};
  if (result.end == SearchEnd::found) answer["first_slow"] = result.suspects.front();
  return answer;
}

std::string ratio_text(const SlowDown& slow_down) {
  const PairedRatio ratio = slow_down.ratio();
  return fmt::format("{:.3f} times as fast ({:.3f} to {:.3f}, 95 %)", ratio.ratio,
                     ratio.interval.low, ratio.interval.high);
}

/// "1a2b3c4 Use the new allocator".
std::string line_of(const Commit& commit) {
  return fmt::format("{} {}", commit.short_id, printable(commit.subject));
}

std::string percent_text(double log_change) {
  return fmt::format("{:.1f} %", 100 * std::abs(std::expm1(log_change)));
}

std::string found_text(const Repository& repository, const BisectRequest& request,
                       const SearchResult& result) {
  const Commit commit = repository.commit(result.suspects.front());
  const SlowDown& own = result.measured.at(commit.id);
  std::string text = fmt::format("first slow commit: {}\n  {}\n  {}, {}\n", commit.id,
                                 printable(commit.subject), printable(commit.author), commit.date);
  for (const std::string& parent : commit.parents) {
    if (parent == request.good.id) continue;  // the line below says it
    const auto before = result.measured.find(parent);
    if (before == result.measured.end()) continue;
    text += fmt::format("  {} as its parent {}\n", ratio_text(difference(own, before->second)),
                        repository.commit(parent).short_id);
  }
  text += fmt::format("  {} as GOOD, {}\n", ratio_text(own), line_of(request.good));
  if (commit.id != request.bad.id)
    text += fmt::format("BAD, {}, is {} as GOOD\n", line_of(request.bad), ratio_text(result.whole));
  return text;
}

std::string undecided_text(const Repository& repository, const SearchResult& result) {
  const auto open = result.measured.find(result.open);
  std::string text = "cannot be decided at this noise level";
  if (open == result.measured.end())
    return text + ": --max-runs is used up; raise it and continue with --resume\n";
  text += fmt::format(": {} is {}\n", line_of(repository.commit(result.open)),
                      slow_down_text(open->second));
  text += result.more > 0
              ? fmt::format(
                    "about {} would decide; continue with --resume and a larger "
                    "--max-runs, or measure on a quieter machine\n",
                    counted(result.more, "more comparison"))
              : "continue with --resume and a larger --max-runs, or measure on a quieter machine\n";
  return text;
}

std::string suspects_text(const Repository& repository, const SearchResult& result) {
  std::string text = fmt::format("the first slow commit is one of {}:\n",
                                 counted(result.suspects.size(), "commit"));
  std::size_t listed = 0;
  for (const std::string& id : result.suspects) {
    if (++listed > most_listed) return text + "  …\n";
    text += fmt::format("  {}{}\n", line_of(repository.commit(id)),
                        result.skipped.contains(id) ? "  (skipped)" : "");
  }
  return text;
}

}  // namespace

bool has_bisect(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(state_file(folder), error);
}

SearchResult bisect(const Repository& repository, const BisectRequest& request, Progress& progress,
                    const std::function<void(const std::string& line)>& tell) {
  State state(request);
  Comparisons comparisons(repository, request.good, request.comparison, progress);
  SearchWorld world;
  world.suspects = [&](const std::string& bad, const std::vector<std::string>& good) {
    return repository.suspects(bad, good);
  };
  world.compare = [&](const std::string& id, std::size_t number, double interval) {
    if (const auto reason = state.why_skipped(id)) throw Unusable(*reason);
    try {
      return comparisons.compare(repository.commit(id), number, interval);
    } catch (const Unusable& unusable) {
      state.skip(id, unusable.what());
      throw;
    }
  };
  world.say = tell;
  world.name = [&](const std::string& id) { return line_of(repository.commit(id)); };
  SearchResult result = search_slow_commit(request.good.id, request.bad.id, request.limits, world);
  state.answer(answer_json(result));
  return result;
}

std::string answer_text(const Repository& repository, const BisectRequest& request,
                        const SearchResult& result) {
  const SlowDown& whole = result.whole;
  const double least = request.limits.least;
  std::string text;
  switch (result.end) {
    case SearchEnd::found:
      text = found_text(repository, request, result);
      break;
    case SearchEnd::not_slower:
      text = fmt::format(
          "not slower: GOOD and BAD do not differ by more than {} (99 %); BAD is {} as GOOD\n",
          percent_text(std::abs(whole.value) + whole.sure_half_width), ratio_text(whole));
      break;
    case SearchEnd::less:
      text = fmt::format(
          "BAD is {} as GOOD: slower, but by less than {:.1f} %; --min-slow-down {:.1f} looks for "
          "it anyway\n",
          ratio_text(whole), 100 * least, 50 * std::expm1(whole.value));
      break;
    case SearchEnd::faster:
      text = fmt::format("not slower: BAD is {} as GOOD, which is {} faster\n", ratio_text(whole),
                         percent_text(whole.value));
      break;
    case SearchEnd::undecided:
      text = undecided_text(repository, result) + suspects_text(repository, result);
      break;
    case SearchEnd::skipped:
      text = "the remaining commits cannot be measured\n" + suspects_text(repository, result);
      break;
  }
  for (const auto& [id, reason] : result.skipped)
    text += fmt::format("skipped {}: {}\n", line_of(repository.commit(id)), reason);
  return text + fmt::format("{}, {} of the program\n", counted(result.comparisons, "comparison"),
                            counted(2 * result.comparisons, "start"));
}

}  // namespace trainmark
