#include "bench/proof_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "journal/journal.h"

namespace trainmark {

namespace {

namespace fs = std::filesystem;

constexpr double longest_append = 60;  // seconds; another bench is done with its record at once

}  // namespace

ProofFolder::ProofFolder(fs::path folder) : folder_(std::move(folder)) {
  // Whatever is wrong with it is said before anything is trained.
  const Journal journal(folder_, longest_append);
}

ProofFolder::~ProofFolder() {
  leave();
}

void ProofFolder::enter(const std::string& workload) {
  if (workload == workload_) return;
  leave();
  const fs::path path = folder_ / (workload + ".lock");
  Descriptor lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock.is_open())
    throw SystemError(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    throw UserError(
        fmt::format("another trainmark is verifying {} into {}; wait for it, or choose another "
                    "folder with --out",
                    workload, folder_.string()));
  }
  lock_ = std::move(lock);
  workload_ = workload;
}

std::string ProofFolder::file(const std::string& name) {
  TRAINMARK_ASSERT(!workload_.empty());
  std::string path =
      fs::absolute(folder_ / fmt::format("{}-{}.safetensors", workload_, name)).string();
  files_.insert(path);
  return path;
}

void ProofFolder::keep(const Proof& proof) {
  Journal(folder_, longest_append).append(to_record(proof));
}

/// The files are large, and the proofs have all that was learned from them.
void ProofFolder::leave() {
  for (const std::string& path : files_) {
    std::error_code error;
    fs::remove(path, error);
  }
  files_.clear();
  workload_.clear();
  lock_ = Descriptor();
}

}  // namespace trainmark
