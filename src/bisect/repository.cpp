#include "bisect/repository.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "launch/describe.h"
#include "launch/local_processes.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t fields_of_a_commit = 6;

struct GitAnswer {
  bool well = false;
  std::string output;
  std::string errors;

  /// The line that says most, for messages.
  std::string complaint() const {
    for (const std::string& line : split(errors, '\n'))
      if (!trim(line).empty()) return printable(trim(line), 300);
    return "no reason given";
  }
};

/// Under a keeper of its own: Ctrl-C is for us, and must not end it half-way.
GitAnswer git(const fs::path& folder, std::vector<std::string> words) {
  ProcessSpec spec;
  spec.command = {"git", "-C", folder.string()};
  for (std::string& word : words) spec.command.push_back(std::move(word));
  spec.variables = {{"LC_ALL", "C"}, {"GIT_TERMINAL_PROMPT", "0"}};
  spec.tells_events = false;
  GitAnswer answer;
  LocalProcesses processes({spec}, [&](int, Stream stream, std::string_view bytes) {
    (stream == Stream::output ? answer.output : answer.errors) += bytes;
  });
  while (processes.wait(0.05)) {
  }
  answer.well = !processes.outcomes().front().failed();
  return answer;
}

std::string git_or_throw(const fs::path& folder, const std::vector<std::string>& words) {
  GitAnswer answer = git(folder, words);
  if (!answer.well) {
    throw SystemError(
        fmt::format("git {} failed in {}: {}", words.front(), folder.string(), answer.complaint()));
  }
  return std::move(answer.output);
}

}  // namespace

Repository::Repository(const fs::path& inside) {
  if (find_program("git").empty())
    throw UserError(
        "bisect needs git, but it was not found in PATH; on Debian: apt-get install git");
  std::error_code error;
  if (!fs::is_directory(inside, error)) {
    throw UserError(fmt::format("{} is not a folder; name a git repository with --repository",
                                printable(inside.string())));
  }
  const GitAnswer answer = git(inside, {"rev-parse", "--show-toplevel"});
  if (!answer.well) {
    throw UserError(fmt::format("{} is not in a git repository ({}); name one with --repository",
                                printable(fs::absolute(inside).string()), answer.complaint()));
  }
  folder_ = fs::path(std::string(trim(answer.output)));
}

Commit Repository::commit(const std::string& name, const std::string& what) const {
  const GitAnswer answer =
      git(folder_, {"log", "-1", "--no-show-signature", "--format=%H%n%h%n%s%n%an%n%aI%n%P",
                    "--end-of-options", name + "^{commit}", "--"});
  const std::vector<std::string> lines = split(answer.output, '\n');
  if (!answer.well || lines.size() < fields_of_a_commit) {
    throw UserError(
        fmt::format("{}'{}' is not a commit of {}; write a branch, a tag, HEAD~3 or a hash",
                    what.empty() ? "" : what + ": ", printable(name), folder_.string()));
  }
  Commit commit{lines[0], lines[1], lines[2], lines[3], lines[4], {}};
  for (std::string& parent : split(lines[5], ' '))
    if (!parent.empty()) commit.parents.push_back(std::move(parent));
  return commit;
}

bool Repository::is_ancestor(const std::string& older, const std::string& newer) const {
  return git(folder_, {"merge-base", "--is-ancestor", older, newer}).well;
}

std::vector<std::string> Repository::suspects(const std::string& bad,
                                              const std::vector<std::string>& good) const {
  std::vector<std::string> words = {"rev-list", "--bisect-all", bad, "--not"};
  words.insert(words.end(), good.begin(), good.end());
  std::vector<std::string> commits;
  for (const std::string& line : split(git_or_throw(folder_, words), '\n'))
    if (!line.empty()) commits.push_back(line.substr(0, line.find(' ')));
  return commits;
}

WorkTree::WorkTree(const Repository& repository, const fs::path& folder, const std::string& commit)
    : repository_(repository), folder_(fs::absolute(folder)) {
  remove();
  make_folders(folder_.parent_path());
  git_or_throw(repository_.folder(),
               {"worktree", "add", "--quiet", "--force", "--detach", folder_.string(), commit});
}

WorkTree::~WorkTree() {
  remove();
}

void WorkTree::remove() noexcept {
  try {
    std::error_code error;
    if (!fs::exists(folder_, error)) return;
    git(repository_.folder(), {"worktree", "remove", "--force", "--force", folder_.string()});
    fs::remove_all(folder_, error);  // where git did not know it
    git(repository_.folder(), {"worktree", "prune"});
    fs::remove(folder_.parent_path(), error);  // where it is the last one
  } catch (const std::exception&) {
    // What is left is in the results' folder, and the next bisect there removes it.
  }
}

void WorkTree::check_out(const std::string& commit, bool clean) {
  git_or_throw(folder_, {"checkout", "--quiet", "--force", "--detach", commit});
  if (clean) git_or_throw(folder_, {"clean", "-ffdxq"});
}

}  // namespace trainmark
