// Stands between a program and the disk (LD_PRELOAD): counts the calls that change what lies below
// one folder, lets one of them fail, and keeps a log from which the state of the disk after a power
// cut can be made. It can turn the wall clock back as well.
//
//   TRAINMARK_SHIM_ROOT    the folder; calls on anything else pass
//   TRAINMARK_SHIM_LOG     where each call is noted (see disk_log.h)
//   TRAINMARK_SHIM_FAIL    the number of the call that fails, from 1
//   TRAINMARK_SHIM_ERROR   the error number it fails with
//   TRAINMARK_SHIM_MANNER  once: this call only; onwards: every call from it on that needs space;
//                          done: it does its work and says that it failed
//   TRAINMARK_SHIM_BACK    seconds by which the wall clock is behind at each new look at it
//
// Only the program itself is watched: what it starts runs without the shim.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <string>

#include "e2e/unsanitized/shim/disk_log.h"

namespace trainmark::shim {
namespace {

enum class Manner { once, onwards, done };

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Settings {
  std::string root = variable("TRAINMARK_SHIM_ROOT");
  long failing = std::atol(variable("TRAINMARK_SHIM_FAIL").c_str());
  int error = std::atoi(variable("TRAINMARK_SHIM_ERROR").c_str());
  long back = std::atol(variable("TRAINMARK_SHIM_BACK").c_str());
  Manner manner = Manner::once;
  int log = -1;

  Settings() {
    if (variable("TRAINMARK_SHIM_MANNER") == "onwards") manner = Manner::onwards;
    if (variable("TRAINMARK_SHIM_MANNER") == "done") manner = Manner::done;
    const std::string path = variable("TRAINMARK_SHIM_LOG");
    if (!path.empty()) {
      log = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    }
    unsetenv("LD_PRELOAD");
  }
};

/// Never destroyed: files are closed until the very end.
Settings& settings() {
  static Settings& only = *new Settings;
  return only;
}

std::atomic<long> calls = 0;

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::string path_of(int descriptor) {
  char link[64];
  char path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : "";
}

std::string absolute(const char* path, int folder = AT_FDCWD) {
  if (path[0] == '/') return path;
  char here[PATH_MAX];
  const std::string base =
      folder == AT_FDCWD ? (getcwd(here, sizeof here) == nullptr ? "" : here) : path_of(folder);
  return base + "/" + path;
}

bool is_watched(const std::string& path) {
  const std::string& root = settings().root;
  return !root.empty() && path.starts_with(root) &&
         (path.size() == root.size() || path[root.size()] == '/');
}

void note(const LogEntry& entry) {
  if (settings().log < 0) return;
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const std::string bytes = to_bytes(entry);
  if (syscall(SYS_write, settings().log, bytes.data(), bytes.size()) < 0) std::abort();
}

bool needs_space(Call call) {
  return call == Call::write || call == Call::create || call == Call::make_folder ||
         call == Call::allocate || call == Call::rename;
}

/// Does one call, or fails in its place. `does` returns a negative number and sets errno where it
/// fails by itself; `entry` is noted where it did its work. A disk takes half of the write that
/// fills it (`does_half`).
template <typename Work, typename Half>
auto attempt(LogEntry entry, Work does, Half does_half) -> decltype(does()) {
  const Settings& set = settings();
  const long number = ++calls;
  if (number == set.failing && set.manner == Manner::onwards && entry.data.size() > 1 &&
      entry.call == Call::write) {
    const auto written = does_half();
    if (written < 0) return written;
    entry.data.resize(static_cast<std::size_t>(written));
    note(entry);
    return written;
  }
  const bool fails = set.failing > 0 &&
                     (number == set.failing || (set.manner == Manner::onwards &&
                                                number > set.failing && needs_space(entry.call)));
  entry.failed = fails;
  // A descriptor is gone after close, whatever it says.
  const bool works = !fails || set.manner == Manner::done || entry.call == Call::close;
  decltype(does()) result = -1;
  if (works) result = does();
  if (works && result >= 0 && entry.call == Call::write)
    entry.data.resize(static_cast<std::size_t>(result));
  const int error = errno;
  if ((works && result >= 0) || fails) {
    entry.worked = works;
    note(entry);
  }
  errno = fails ? set.error : error;
  return fails ? decltype(result){-1} : result;
}

template <typename Work>
auto attempt(const LogEntry& entry, Work does) {
  return attempt(entry, does, does);
}

template <typename Open>
int open_watched(const std::string& path, int flags, Open opens) {
  if ((flags & (O_CREAT | O_TRUNC)) == 0 || !is_watched(path)) return opens();
  return attempt({.call = Call::create, .path = path, .number = (flags & O_TRUNC) != 0 ? 1U : 0U},
                 opens);
}

ssize_t write_watched(int descriptor, std::string data) {
  static auto* const real_write = real<ssize_t(int, const void*, size_t)>("write");
  const auto writes = [&](std::size_t size) { return real_write(descriptor, data.data(), size); };
  const std::string path = path_of(descriptor);
  if (!is_watched(path)) return writes(data.size());
  struct stat status {};
  const bool appends = (fcntl(descriptor, F_GETFL) & O_APPEND) != 0;
  const off_t at =
      appends && fstat(descriptor, &status) == 0 ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
  return attempt(
      {.call = Call::write, .path = path, .number = static_cast<std::uint64_t>(at), .data = data},
      [&] { return writes(data.size()); }, [&] { return writes(data.size() / 2); });
}

template <typename Work>
int on_descriptor(Call call, int descriptor, std::uint64_t number, Work does) {
  const std::string path = path_of(descriptor);
  if (!is_watched(path)) return does();
  return attempt({.call = call, .path = path, .number = number}, does);
}

template <typename Work>
int on_path(Call call, const std::string& path, Work does) {
  if (!is_watched(path)) return does();
  return attempt({.call = call, .path = path}, does);
}

mode_t mode_in(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}

/// Each look at the wall clock finds it further back.
time_t turned_back() {
  static std::atomic<time_t> sum = 0;
  return sum += settings().back;
}

const bool read_at_start = (settings(), true);

}  // namespace
}  // namespace trainmark::shim

using namespace trainmark::shim;

extern "C" {

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_in(flags, list);
  va_end(list);
  static auto* const opens = real<int(const char*, int, ...)>("open64");
  return open_watched(absolute(path), flags, [&] { return opens(path, flags, mode); });
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_in(flags, list);
  va_end(list);
  return open64(path, flags, mode);
}

int openat64(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_in(flags, list);
  va_end(list);
  static auto* const opens = real<int(int, const char*, int, ...)>("openat64");
  return open_watched(absolute(path, folder), flags,
                      [&] { return opens(folder, path, flags, mode); });
}

int openat(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_in(flags, list);
  va_end(list);
  return openat64(folder, path, flags, mode);
}

int mkostemp64(char* name, int flags) {
  static auto* const opens = real<int(char*, int)>("mkostemp64");
  if (!is_watched(absolute(name))) return opens(name, flags);
  // The name is known only afterwards: made here, as mkostemp does.
  const std::string pattern = name;
  for (int i = 0; i < 1000; ++i) {
    std::snprintf(name + pattern.size() - 6, 7, "%06d", i);
    const int file = open64(name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

int mkostemp(char* name, int flags) {
  return mkostemp64(name, flags);
}

ssize_t write(int descriptor, const void* data, size_t size) {
  return write_watched(descriptor, std::string(static_cast<const char*>(data), size));
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  std::string data;
  for (int i = 0; i < count; ++i)
    data.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  return write_watched(descriptor, data);
}

int fsync(int descriptor) {
  static auto* const syncs = real<int(int)>("fsync");
  return on_descriptor(Call::sync, descriptor, 0, [&] { return syncs(descriptor); });
}

int fdatasync(int descriptor) {
  static auto* const syncs = real<int(int)>("fdatasync");
  return on_descriptor(Call::sync, descriptor, 0, [&] { return syncs(descriptor); });
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  static auto* const cuts = real<int(int, off64_t)>("ftruncate64");
  return on_descriptor(Call::truncate, descriptor, static_cast<std::uint64_t>(size),
                       [&] { return cuts(descriptor, size); });
}

int ftruncate(int descriptor, off_t size) noexcept {
  return ftruncate64(descriptor, size);
}

int posix_fallocate64(int descriptor, off64_t begin, off64_t size) {
  static auto* const allocates = real<int(int, off64_t, off64_t)>("posix_fallocate64");
  int error = 0;
  const int result =
      on_descriptor(Call::allocate, descriptor, static_cast<std::uint64_t>(begin + size), [&] {
        error = allocates(descriptor, begin, size);
        return error == 0 ? 0 : -1;
      });
  return result == 0 ? 0 : error != 0 ? error : settings().error;
}

int posix_fallocate(int descriptor, off_t begin, off_t size) {
  return posix_fallocate64(descriptor, begin, size);
}

int close(int descriptor) {
  static auto* const closes = real<int(int)>("close");
  const bool writable = (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
  if (!writable) return closes(descriptor);
  return on_descriptor(Call::close, descriptor, 0, [&] { return closes(descriptor); });
}

int rename(const char* from, const char* to) noexcept {
  static auto* const renames = real<int(const char*, const char*)>("rename");
  const std::string path = absolute(from);
  const auto does = [&] { return renames(from, to); };
  if (!is_watched(path)) return does();
  return attempt({.call = Call::rename, .path = path, .data = absolute(to)}, does);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const makes = real<int(const char*, mode_t)>("mkdir");
  return on_path(Call::make_folder, absolute(path), [&] { return makes(path, mode); });
}

char* mkdtemp(char* name) noexcept {
  static auto* const makes = real<char*(char*)>("mkdtemp");
  if (!is_watched(absolute(name))) return makes(name);
  const std::string pattern = name;
  for (int i = 0; i < 1000; ++i) {
    std::snprintf(name + pattern.size() - 6, 7, "%06d", i);
    if (mkdir(name, 0700) == 0) return name;
    if (errno != EEXIST) break;
  }
  return nullptr;
}

int unlink(const char* path) noexcept {
  static auto* const removes = real<int(const char*)>("unlink");
  return on_path(Call::remove, absolute(path), [&] { return removes(path); });
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static auto* const removes = real<int(int, const char*, int)>("unlinkat");
  return on_path(Call::remove, absolute(path, folder),
                 [&] { return removes(folder, path, flags); });
}

int rmdir(const char* path) noexcept {
  static auto* const removes = real<int(const char*)>("rmdir");
  return on_path(Call::remove, absolute(path), [&] { return removes(path); });
}

int remove(const char* path) noexcept {
  static auto* const removes = real<int(const char*)>("remove");
  return on_path(Call::remove, absolute(path), [&] { return removes(path); });
}

int clock_gettime(clockid_t clock, timespec* when) noexcept {
  static auto* const tells = real<int(clockid_t, timespec*)>("clock_gettime");
  const int result = tells(clock, when);
  if (result == 0 && clock == CLOCK_REALTIME && settings().back != 0) when->tv_sec -= turned_back();
  return result;
}

int gettimeofday(timeval* when, void* zone) noexcept {
  static auto* const tells = real<int(timeval*, void*)>("gettimeofday");
  const int result = tells(when, zone);
  if (result == 0 && settings().back != 0) when->tv_sec -= turned_back();
  return result;
}

time_t time(time_t* when) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (when != nullptr) *when = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
