#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainmark {

struct Commit {
  std::string id;  // the whole of it
  std::string short_id;
  std::string subject;
  std::string author;
  std::string date;  // of the author, ISO 8601
  std::vector<std::string> parents;
};

/// A git repository of a user's. It is only read; work is done in trees of their own, which share
/// its objects (`git worktree`).
class Repository {
 public:
  /// Any folder inside of it. Throws UserError where it is in none, or git is missing.
  explicit Repository(const std::filesystem::path& inside);

  /// What a name such as HEAD~3 or v1.0 stands for. Throws UserError; `what`: what it was given as.
  Commit commit(const std::string& name, const std::string& what = "") const;

  bool is_ancestor(const std::string& older, const std::string& newer) const;

  /// As SearchWorld::suspects wants them.
  std::vector<std::string> suspects(const std::string& bad,
                                    const std::vector<std::string>& good) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// A working tree of its own for a commit. Destroying it removes the tree and what git knows of it.
class WorkTree {
 public:
  /// What an earlier process left there goes first. Throws SystemError.
  WorkTree(const Repository& repository, const std::filesystem::path& folder,
           const std::string& commit);
  ~WorkTree();
  WorkTree(const WorkTree&) = delete;
  WorkTree& operator=(const WorkTree&) = delete;

  /// Files that git does not know stay, so that a build has little to do; not so where `clean`.
  /// Throws SystemError.
  void check_out(const std::string& commit, bool clean);

  const std::filesystem::path& folder() const { return folder_; }

 private:
  void remove() noexcept;

  const Repository& repository_;
  std::filesystem::path folder_;
};

}  // namespace trainmark
