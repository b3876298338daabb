#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark::shim {

/// A call that changes a disk, or makes a change last.
enum class Call : std::uint32_t {
  create,  // `number` 1: what was there before is gone
  write,   // `data` at byte `number`
  truncate,
  allocate,
  sync,
  close,
  rename,  // to the path in `data`
  make_folder,
  remove,
};

inline const char* name_of(Call call) {
  constexpr const char* names[] = {"create", "write",  "truncate",    "allocate", "sync",
                                   "close",  "rename", "make_folder", "remove"};
  return names[static_cast<std::uint32_t>(call)];
}

struct LogEntry {
  Call call = Call::create;
  std::string path;
  std::uint64_t number = 0;
  std::string data = {};
  bool failed = false;  // as the program was told
  bool worked = true;   // on the disk
};

namespace detail {

struct Head {
  Call call;
  std::uint32_t path_size, failed, worked;
  std::uint64_t number, data_size;
};

}  // namespace detail

inline std::string to_bytes(const LogEntry& entry) {
  const detail::Head head{entry.call,   static_cast<std::uint32_t>(entry.path.size()),
                          entry.failed, entry.worked,
                          entry.number, entry.data.size()};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + entry.path + entry.data;
}

/// All entries of a log; what a killed program has left half written at its end is passed over.
inline std::vector<LogEntry> read_log(std::string_view bytes) {
  std::vector<LogEntry> entries;
  detail::Head head;
  while (bytes.size() >= sizeof head) {
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes.remove_prefix(sizeof head);
    if (bytes.size() < head.path_size + head.data_size) break;
    entries.push_back({head.call, std::string(bytes.substr(0, head.path_size)), head.number,
                       std::string(bytes.substr(head.path_size, head.data_size)), head.failed != 0,
                       head.worked != 0});
    bytes.remove_prefix(head.path_size + head.data_size);
  }
  return entries;
}

}  // namespace trainmark::shim
