#include "e2e/unsanitized/faulty_disk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/files.h"
#include "e2e/support/program.h"

namespace trainmark::e2e {

namespace fs = std::filesystem;

std::map<std::string, std::string> behind_shim(const fs::path& root, const fs::path& log,
                                               const DiskFault& fault) {
  return {{"LD_PRELOAD", TRAINMARK_FAULT_SHIM},
          {"TRAINMARK_SHIM_ROOT", root.string()},
          {"TRAINMARK_SHIM_LOG", log.string()},
          {"TRAINMARK_SHIM_FAIL", std::to_string(fault.call)},
          {"TRAINMARK_SHIM_ERROR", std::to_string(fault.error)},
          {"TRAINMARK_SHIM_MANNER", fault.manner}};
}

std::map<std::string, std::string> with_clock_going_back(long seconds) {
  return {{"LD_PRELOAD", TRAINMARK_FAULT_SHIM}, {"TRAINMARK_SHIM_BACK", std::to_string(seconds)}};
}

bool all_faults() {
  return std::getenv("TRAINMARK_ALL_FAULTS") != nullptr;
}

std::vector<shim::LogEntry> read_disk_log(const fs::path& file) {
  return shim::read_log(read_file(file, SIZE_MAX));
}

Disk::Disk(fs::path root) : root_(std::move(root)) {
  read(root_);
}

std::size_t Disk::add(const Node& node) {
  nodes_.push_back(node);
  return nodes_.size() - 1;
}

std::size_t Disk::read(const fs::path& path) {
  if (!fs::is_directory(path)) {
    const std::string bytes = read_file(path, SIZE_MAX);
    return add({.bytes = bytes, .synced_bytes = bytes});
  }
  const std::size_t number = add({.folder = true});
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::size_t inner = read(entry.path());
    nodes_[number].names[entry.path().filename().string()] = inner;
  }
  nodes_[number].synced_names = nodes_[number].names;
  return number;
}

Disk::Node* Disk::find(const fs::path& path) {
  std::size_t number = 0;
  for (const fs::path& part : path.lexically_relative(root_)) {
    if (part == ".") continue;
    const auto found = nodes_[number].names.find(part.string());
    if (found == nodes_[number].names.end()) return nullptr;
    number = found->second;
  }
  return &nodes_[number];
}

void Disk::apply(const shim::LogEntry& entry) {
  if (!entry.worked) return;
  const fs::path path = entry.path;
  const std::string name = path.filename().string();
  Node* const node = find(path);
  Node* const parent = find(path.parent_path());
  const auto size = static_cast<std::size_t>(entry.number);
  switch (entry.call) {
    case shim::Call::create:
    case shim::Call::make_folder:
      if (node != nullptr && entry.number == 1) node->bytes.clear();
      if (node == nullptr && parent != nullptr) {
        const std::size_t number = add({.folder = entry.call == shim::Call::make_folder});
        find(path.parent_path())->names[name] = number;  // `add` has moved them
      }
      break;
    case shim::Call::write:
      if (node == nullptr) break;  // a file without a name
      node->bytes.resize(std::max(node->bytes.size(), size + entry.data.size()));
      node->bytes.replace(size, entry.data.size(), entry.data);
      break;
    case shim::Call::truncate:
      if (node != nullptr) node->bytes.resize(size);
      break;
    case shim::Call::allocate:
      if (node != nullptr) node->bytes.resize(std::max(node->bytes.size(), size));
      break;
    case shim::Call::sync:
      if (node == nullptr) break;
      node->synced_bytes = node->bytes;
      node->synced_names = node->names;
      break;
    case shim::Call::rename:
      if (node == nullptr) break;
      find(fs::path(entry.data).parent_path())->names[fs::path(entry.data).filename().string()] =
          parent->names.at(name);
      parent->names.erase(name);
      break;
    case shim::Call::remove:
      if (parent != nullptr) parent->names.erase(name);
      break;
    case shim::Call::close:
      break;
  }
}

std::string Disk::left_of(const Node& file, Loss loss) {
  const std::string& old = file.synced_bytes;
  if (loss == Loss::names) return file.bytes;
  // Only what was added can be there in part; a file that was cut or changed is as it was.
  if (loss == Loss::all || loss == Loss::data || !file.bytes.starts_with(old)) return old;
  const std::string added = file.bytes.substr(old.size());
  const std::string front = added.substr(0, added.size() / 2);
  const std::string back = added.substr(front.size());
  if (loss == Loss::half) return old + front;
  if (loss == Loss::zeros) return old + std::string(added.size(), '\0');
  return old + std::string(front.size(), '\0') + back;
}

void Disk::write(const Node& node, Loss loss, const fs::path& path) const {
  if (!node.folder) return write_text(path, left_of(node, loss));
  fs::create_directories(path);
  const bool keeps_names = loss != Loss::all && loss != Loss::names;
  for (const auto& [name, number] : keeps_names ? node.names : node.synced_names)
    write(nodes_[number], loss, path / name);
}

void Disk::cut_power(Loss loss, const fs::path& into) const {
  write(nodes_.front(), loss, into);
}

}  // namespace trainmark::e2e
