#pragma once

#include <filesystem>

namespace trainmark::data {

/// A folder that is there whole or not at all: what is to be in it is written into one beside it,
/// `NAME.partial`, which gets the name in the end. Where it never does, nothing is left.
class NewFolder {
 public:
  /// Throws UserError where something is there already that is not an empty folder, or where the
  /// folder beside it is there; SystemError where the machine refuses.
  explicit NewFolder(const std::filesystem::path& folder);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const std::filesystem::path& partial() const { return partial_; }

  /// Once the disk has everything. Throws SystemError.
  void finish();

 private:
  std::filesystem::path folder_, partial_;
};

}  // namespace trainmark::data
