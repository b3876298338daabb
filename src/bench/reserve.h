#pragma once

#include <filesystem>

namespace trainmark {

/// Room on the disk that is kept for the record of the run in flight, so that a run which fills the
/// disk with its own logs can still be recorded.
class Reserve {
 public:
  explicit Reserve(const std::filesystem::path& folder) : path_(folder / "reserve") {}
  ~Reserve() { release(); }
  Reserve(const Reserve&) = delete;
  Reserve& operator=(const Reserve&) = delete;

  /// Throws SystemError where there is no room: better before a run than after it.
  void take() const;
  void release() const;

 private:
  std::filesystem::path path_;
};

}  // namespace trainmark
