#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "e2e/unsanitized/shim/disk_log.h"

namespace trainmark::e2e {

/// How the disk below a folder misbehaves (tests/e2e/unsanitized/shim/fault_shim.cpp).
struct DiskFault {
  long call = 0;  // the number of the call that fails; 0: none does
  int error = 0;
  std::string manner = "once";
};

/// The variables that put the shim between a program and the disk below `root`. Calls are noted in
/// the file `log`.
std::map<std::string, std::string> behind_shim(const std::filesystem::path& root,
                                               const std::filesystem::path& log,
                                               const DiskFault& fault = {});

/// The variables that turn the wall clock back by so many seconds each time it is looked at.
std::map<std::string, std::string> with_clock_going_back(long seconds);

/// Is every fault to be tried (`make faults`), and not only some of them (`make test`)?
bool all_faults();

std::vector<shim::LogEntry> read_disk_log(const std::filesystem::path& file);

/// What a power cut takes. What was synced stays; of the rest, disks and file systems keep as much
/// as they like.
enum class Loss {
  all,    // every name and every byte that was not synced
  data,   // bytes; names are there
  names,  // names; bytes are there
  half,   // the second half of what was added to a file
  zeros,  // bytes, which read as zeros: the new size is there
  hole,   // the first half of what was added to a file reads as zeros
};
constexpr Loss losses[] = {Loss::all, Loss::data, Loss::names, Loss::half, Loss::zeros, Loss::hole};

/// The disk below a folder, as a log of calls leaves it: what programs see, and what would be there
/// after a power cut. A name lasts once its folder is synced, bytes once their file is.
class Disk {
 public:
  /// What lies there now has lasted long.
  explicit Disk(std::filesystem::path root);

  void apply(const shim::LogEntry& entry);

  /// Writes what is left after a power cut into an empty folder.
  void cut_power(Loss loss, const std::filesystem::path& into) const;

 private:
  using Names = std::map<std::string, std::size_t>;
  struct Node {
    bool folder = false;
    std::string bytes = {}, synced_bytes = {};
    Names names = {}, synced_names = {};
  };

  std::size_t add(const Node& node);
  std::size_t read(const std::filesystem::path& path);
  Node* find(const std::filesystem::path& path);
  void write(const Node& node, Loss loss, const std::filesystem::path& path) const;
  static std::string left_of(const Node& file, Loss loss);

  std::filesystem::path root_;
  std::vector<Node> nodes_;
};

}  // namespace trainmark::e2e
