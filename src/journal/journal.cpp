#include "journal/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/json_fields.h"
#include "base/text.h"
#include "base/time.h"
#include "base/version.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view line_start = R"({"crc":")";
constexpr std::string_view line_middle = R"(","record":)";
constexpr std::size_t sum_digits = 8;

std::string checksum(std::string_view text) {
  const uLong sum = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return fmt::format("{:08x}", sum);
}

/// The sum that a whole line holds.
std::uint32_t sum_of(std::string_view line) {
  std::uint32_t sum = 0;
  const char* digits = line.data() + line_start.size();
  std::from_chars(digits, digits + sum_digits, sum, 16);
  return sum;
}

[[noreturn]] void fail(const std::string& doing, const fs::path& path, int error) {
  const char* reason = error == ENOSPC ? "the disk is full" : std::strerror(error);
  throw SystemError(fmt::format("cannot {} {}: {}", doing, path.string(), reason));
}

/// Writes all of it or throws; `start` is where the file ended before.
void write_all(int file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write", path, written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// False leaves the reason in errno.
bool lock_within(int lock, double seconds) {
  const double deadline = monotonic_seconds() + seconds;
  while (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK || monotonic_seconds() >= deadline) return false;
    usleep(10'000);
  }
  return true;
}

/// Sorts records by their kind.
struct RecordTaker {
  JournalContents& contents;

  void operator()(std::monostate) const {}  // of a kind that came later
  void operator()(RunRecord&& run) const { contents.runs.push_back(std::move(run)); }
  void operator()(SkipRecord&& skip) const { contents.skips.push_back(std::move(skip)); }
  void operator()(Proof&& proof) const { contents.proofs.push_back(std::move(proof)); }
  void operator()(BatchRecord&& batch) const { contents.batches.push_back(std::move(batch)); }
  void operator()(TurnsRecord&& turns) const { contents.turns.push_back(std::move(turns)); }
  void operator()(SuiteRecord&& suite) const { contents.suites.push_back(std::move(suite)); }
  void operator()(EnvironmentRecord&& record) const {
    contents.environments[record.first] = std::move(record.second);
  }
};

/// Records of a newer schema, as a journal is read. One of them may name the version that wrote it.
class NewerRecords {
 public:
  void add(std::size_t line, const NewerSchema& record) {
    if (schema_ == 0) line_ = line;
    schema_ = std::max(schema_, record.schema());
    if (writer_.empty()) writer_ = record.writer();
  }

  void refuse(const fs::path& path) const {
    if (schema_ == 0) return;
    throw UserError(fmt::format(
        "{}:{}: written by {} (schema {}); this is trainmark {}, which reads up to schema {}: use "
        "that version or a later one",
        path.string(), line_,
        writer_.empty() ? "a newer trainmark" : "trainmark " + printable(writer_), schema_,
        version(), newest_schema));
  }

 private:
  std::size_t line_ = 0;
  std::size_t schema_ = 0;  // 0 = there are none
  std::string writer_;
};

}  // namespace

std::string journal_line(const nlohmann::json& record) {
  const std::string text = record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return fmt::format("{}{}{}{}}}\n", line_start, checksum(text), line_middle, text);
}

std::optional<std::string_view> record_text(std::string_view line) {
  const std::size_t front = line_start.size() + sum_digits + line_middle.size();
  if (line.size() < front + 1 || !line.starts_with(line_start) || !line.ends_with('}') ||
      line.substr(line_start.size() + sum_digits, line_middle.size()) != line_middle) {
    return std::nullopt;
  }
  const std::string_view text = line.substr(front, line.size() - front - 1);
  if (checksum(text) != line.substr(line_start.size(), sum_digits)) return std::nullopt;
  return text;
}

Journal::Journal(fs::path folder, double patience) : folder_(std::move(folder)) {
  // Before anything is changed there: what a newer version has written is not ours to add to.
  std::error_code ignored;
  if (fs::is_regular_file(journal_file(folder_), ignored)) read_journal(folder_);
  make_folders(folder_ / "runs");
  const fs::path lock_path = folder_ / "lock";
  lock_ = open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) fail("open", lock_path, errno);
  if (!lock_within(lock_, patience)) {
    const int error = errno;
    close(lock_);
    if (error != EWOULDBLOCK) fail("lock", lock_path, error);
    throw UserError(
        fmt::format("another trainmark is measuring into {}; wait for it, or choose "
                    "another folder with --out",
                    folder_.string()));
  }
  try {
    recover();
  } catch (...) {
    if (file_ >= 0) close(file_);
    close(lock_);
    throw;
  }
}

Journal::~Journal() {
  close(file_);
  close(lock_);  // lets go of the lock
}

/// Cuts what a crash left behind the last whole line. A damaged line further in is left alone: it
/// is named by readers, and nothing after it is lost.
void Journal::recover() {
  const fs::path path = journal_file(folder_);
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) fail("open", path, errno);
  struct stat status {};
  if (fstat(file_, &status) != 0) fail("read", path, errno);
  if (!S_ISREG(status.st_mode)) {
    throw UserError(
        fmt::format("{} is not a file; choose another folder with --out", path.string()));
  }
  // The last line's end is looked for from the back, in pieces, however large the file is.
  off_t end = status.st_size;
  char buffer[65536];
  bool found = false;
  while (end > 0 && !found) {
    const std::size_t size = std::min<std::size_t>(sizeof buffer, static_cast<std::size_t>(end));
    const ssize_t got = pread(file_, buffer, size, end - static_cast<off_t>(size));
    if (got != static_cast<ssize_t>(size)) fail("read", path, got < 0 ? errno : EIO);
    std::size_t at = size;
    while (at > 0 && buffer[at - 1] != '\n') --at;
    end -= static_cast<off_t>(size - at);
    found = at > 0;
  }
  if (end < status.st_size) {
    if (ftruncate(file_, end) != 0 || fsync(file_) != 0) fail("repair", path, errno);
    repaired_ = fmt::format("removed {} bytes of an incomplete record",
                            static_cast<long long>(status.st_size - end));
  }
  sync_folder(folder_);
}

void Journal::append(const nlohmann::json& record) {
  append_together({record});
}

void Journal::append_together(const std::vector<nlohmann::json>& records) {
  std::string lines;
  for (const nlohmann::json& record : records) lines += journal_line(record);
  const fs::path path = journal_file(folder_);
  const off_t before = lseek(file_, 0, SEEK_END);
  try {
    write_all(file_, lines, path);
    if (fdatasync(file_) != 0) fail("save", path, errno);
  } catch (const SystemError&) {
    // Half a line would be cut at the next opening anyway; do it now, while we know where it began.
    if (ftruncate(file_, before) != 0) repaired_ = "an incomplete record remains at the end";
    throw;
  }
}

fs::path journal_file(const fs::path& folder) {
  return folder / "journal.jsonl";
}

bool is_journal(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  std::string begin(line_start.size(), '\0');
  const ssize_t got = read(descriptor, begin.data(), begin.size());
  close(descriptor);
  return got == static_cast<ssize_t>(begin.size()) && begin == line_start;
}

bool has_journal(const fs::path& folder) {
  std::error_code error;
  return fs::exists(journal_file(folder), error);
}

JournalContents read_journal(const fs::path& folder) {
  const fs::path path = journal_file(folder);
  if (!has_journal(folder)) {
    throw UserError(
        fmt::format("{} holds no journal ({} is missing); give a folder that "
                    "`trainmark run` has written",
                    folder.string(), path.filename().string()));
  }
  // Journals are as large as what was measured; a limit would only keep results from being read.
  const std::string text = read_file(path, SIZE_MAX);
  JournalContents contents;
  contents.folder = folder.string();
  NewerRecords newer;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    ++number;
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const auto record = record_text(line);
    if (!record || end == std::string_view::npos) {
      contents.damage.push_back(
          fmt::format("{}:{}: {}", path.string(), number,
                      rest.empty() ? "an incomplete record" : "a damaged record"));
      continue;
    }
    contents.sums.push_back(sum_of(line));
    try {
      std::visit(RecordTaker{contents}, read_record(*record));
    } catch (const NewerSchema& later) {
      newer.add(number, later);
    } catch (const std::exception& error) {
      contents.damage.push_back(
          fmt::format("{}:{}: {}", path.string(), number, json_trouble(error.what())));
    }
  }
  newer.refuse(path);
  return contents;
}

}  // namespace trainmark
