#include "base/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json_fields.h"
#include "base/signals.h"
#include "base/tar_head.h"
#include "base/text.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t read_at_once = 1 << 20;

std::string words_of(archive* handle) {
  const char* words = archive_error_string(handle);
  return words == nullptr ? "unknown reason" : printable(words);
}

struct ReadRelease {
  void operator()(archive* handle) const { archive_read_free(handle); }
};

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw UserError(fmt::format("{}: {}; give a file that `trainmark report --bundle` has written",
                              printable(file.string()), what));
}

std::string too_much(const ArchiveLimits& limits) {
  return fmt::format("it unpacks to more than {}, the limit for a bundle",
                     bytes_text(static_cast<double>(limits.bytes)));
}

/// 0, or the error number.
int write_bytes(int descriptor, const char* bytes, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t wrote = ::write(descriptor, bytes + done, size - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return wrote == 0 ? EIO : errno;
    done += static_cast<std::size_t>(wrote);
  }
  return 0;
}

/// The folder for an unpacked file.
void make_folder_of(const fs::path& target) {
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error)
    throw SystemError(fmt::format("cannot create the folder {}: {}", target.parent_path().string(),
                                  error.message()));
}

/// Writes one entry's data; what it took is added to `bytes`.
void unpack_entry(archive* handle, const fs::path& target, const fs::path& file,
                  std::uint64_t& bytes, const ArchiveLimits& limits) {
  make_folder_of(target);
  const int out =
      ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (out < 0)
    throw SystemError(fmt::format("cannot write {}: {}", target.string(), std::strerror(errno)));
  std::string buffer(read_at_once, '\0');
  std::string trouble;
  for (;;) {
    const la_ssize_t got = archive_read_data(handle, buffer.data(), buffer.size());
    if (got < 0) trouble = "it is damaged (" + words_of(handle) + ")";
    if (got <= 0) break;
    bytes += static_cast<std::uint64_t>(got);
    if (bytes > limits.bytes) trouble = too_much(limits);
    if (!trouble.empty()) break;
    const int error = write_bytes(out, buffer.data(), static_cast<std::size_t>(got));
    if (error != 0) {
      ::close(out);
      throw SystemError(fmt::format("cannot write {}: {}", target.string(), std::strerror(error)));
    }
  }
  ::close(out);
  if (!trouble.empty()) refuse(file, trouble);
}

/// The entry's name, once it is known to be harmless; empty for a folder.
std::string checked_name(archive_entry* entry, const fs::path& file, const ArchiveLimits& limits) {
  const char* raw = archive_entry_pathname(entry);
  std::string name = raw == nullptr ? "" : raw;
  const auto kind = archive_entry_filetype(entry);
  if (kind == AE_IFDIR && name.ends_with('/')) name.pop_back();
  if (name.size() > limits.name || !is_inner_path(name))
    refuse(file, fmt::format("'{}' in it would be unpacked outside the folder", printable(name)));
  if (archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr ||
      (kind != AE_IFREG && kind != AE_IFDIR))
    refuse(file, fmt::format("'{}' in it is a link or a device", printable(name)));
  return kind == AE_IFDIR ? "" : name;
}

/// Calls `visit` with every entry and its name, which is empty for a folder.
template <class Visit>
void for_each_entry(const fs::path& file, const ArchiveLimits& limits, const Visit& visit) {
  const std::unique_ptr<archive, ReadRelease> handle(archive_read_new());
  archive_read_support_format_tar(handle.get());
  archive_read_support_filter_zstd(handle.get());
  if (archive_read_open_filename(handle.get(), file.c_str(), 1 << 16) != ARCHIVE_OK)
    refuse(file, "it is not a .tar.zst file (" + words_of(handle.get()) + ")");
  for (std::size_t entries = 0;; ++entries) {
    archive_entry* entry = nullptr;
    const int outcome = archive_read_next_header(handle.get(), &entry);
    if (outcome == ARCHIVE_EOF) return;
    if (outcome != ARCHIVE_OK) refuse(file, "it is damaged (" + words_of(handle.get()) + ")");
    if (entries >= limits.entries)
      refuse(file, fmt::format("it holds more than {} files", limits.entries));
    visit(handle.get(), entry, checked_name(entry, file, limits));
  }
}

/// The paths that would be written, each a file or a folder, and none of them both.
class Places {
 public:
  explicit Places(const fs::path& file) : file_(file) {}

  void add(const std::string& name) {
    if (!files_.insert(name).second) refuse(file_, "it contains the same name twice");
    if (folders_.contains(name)) refuse_both(name);
    for (std::size_t slash = name.find('/'); slash != std::string::npos;
         slash = name.find('/', slash + 1)) {
      const std::string above = name.substr(0, slash);
      if (files_.contains(above)) refuse_both(above);
      folders_.insert(above);
    }
  }

 private:
  [[noreturn]] void refuse_both(const std::string& name) const {
    refuse(file_, fmt::format("'{}' in it is both a file and a folder", printable(name)));
  }

  const fs::path& file_;
  std::set<std::string> files_, folders_;
};

/// Refuses an archive by the heads of its entries. What is passed over counts, too: skipping
/// unpacks it.
void check_heads(const fs::path& file, const std::function<std::string(const std::string&)>& place,
                 const ArchiveLimits& limits) {
  std::uint64_t bytes = 0;
  Places places(file);
  for_each_entry(file, limits, [&](archive*, archive_entry* entry, const std::string& name) {
    bytes += static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_entry_size(entry)));
    if (bytes > limits.bytes) refuse(file, too_much(limits));
    const std::string relative = name.empty() ? "" : place(name);
    if (!relative.empty()) places.add(relative);
  });
}

}  // namespace

struct ArchiveWriter::State {
  fs::path file, beside;
  std::int64_t time = 0;
  ZSTD_CCtx* compressor = nullptr;
  int descriptor = -1;
  bool finished = false;

  [[noreturn]] void fail(const char* why) const {
    throw SystemError(fmt::format("cannot write {}: {}", file.string(), why));
  }

  void write(std::string_view bytes, ZSTD_EndDirective end = ZSTD_e_continue) {
    std::string buffer(ZSTD_CStreamOutSize(), '\0');
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    for (std::size_t left = 1; input.pos < input.size || (end == ZSTD_e_end && left != 0);) {
      ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
      left = ZSTD_compressStream2(compressor, &output, &input, end);
      if (ZSTD_isError(left)) fail(ZSTD_getErrorName(left));
      const int error = write_bytes(descriptor, buffer.data(), output.pos);
      if (error != 0) fail(std::strerror(error));
    }
  }

  void write_entry(const std::string& name, char kind, std::string_view content) {
    write(tar_head(name, kind, content.size(), time));
    write(content);
    write(std::string(tar_padding(content.size()), '\0'));
  }
};

ArchiveWriter::ArchiveWriter(fs::path file, std::int64_t time) : state_(new State) {
  state_->file = std::move(file);
  state_->time = std::max<std::int64_t>(0, time);
  std::string name = state_->file.string() + ".XXXXXX";
  state_->descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (state_->descriptor < 0) state_->fail(std::strerror(errno));
  fchmod(state_->descriptor, 0644);
  state_->beside = name;
  state_->compressor = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(state_->compressor, ZSTD_c_checksumFlag, 1);
}

ArchiveWriter::~ArchiveWriter() {
  ZSTD_freeCCtx(state_->compressor);
  ::close(state_->descriptor);
  if (!state_->finished) ::unlink(state_->beside.c_str());
}

void ArchiveWriter::add(const std::string& name, std::string_view content) {
  stop_if_interrupted();
  // A name that the fixed field cannot hold stands in a record of its own before the file.
  if (name.size() >= tar_name_bytes) state_->write_entry("long-name", 'x', pax_path(name));
  state_->write_entry(name, '0', content);
}

void ArchiveWriter::finish() {
  state_->write(std::string(2 * tar_block, '\0'), ZSTD_e_end);
  if (fsync(state_->descriptor) != 0 || ::rename(state_->beside.c_str(), state_->file.c_str()) != 0)
    state_->fail(std::strerror(errno));
  state_->finished = true;
  sync_folder(fs::absolute(state_->file).parent_path());
}

void unpack_archive(const fs::path& file, const fs::path& folder,
                    const std::function<std::string(const std::string&)>& place,
                    const ArchiveLimits& limits) {
  // What it says of itself is read first: nothing is written of an archive that is refused, and one
  // that swells is not unpacked until the disk is full.
  check_heads(file, place, limits);
  std::uint64_t bytes = 0;
  for_each_entry(file, limits, [&](archive* handle, archive_entry*, const std::string& name) {
    const std::string relative = name.empty() ? "" : place(name);
    if (!relative.empty()) unpack_entry(handle, folder / relative, file, bytes, limits);
  });
}

bool is_inner_path(std::string_view name) {
  if (name.empty() || name.starts_with('/')) return false;
  for (const std::string& part : split(name, '/'))
    if (part.empty() || part == "." || part == "..") return false;
  return std::none_of(name.begin(), name.end(), [](unsigned char letter) {
    return letter < 32 || letter == 127 || letter == '\\';
  });
}

}  // namespace trainmark
