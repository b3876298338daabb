#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/kept_stream.h"
#include "launch/processes.h"

namespace trainmark {

/// Bytes of a run that are not on disk.
struct LostBytes {
  std::uint64_t events = 0;
  std::uint64_t logs = 0;
  bool unsynced = false;  // the files are there, and a power cut may take them
};

/// What the ranks of a run write, on disk: "events.jsonl", "stdout.log" and "stderr.log", with the
/// rank in their names where there are several; and "starter.log" for what mpirun or srun says
/// itself, which is nothing in most runs.
class RunStreams {
 public:
  RunStreams(std::filesystem::path folder, int ranks);

  void add(int rank, Stream stream, std::string_view bytes);

  /// Makes all of it durable.
  void finish();

  LostBytes lost() const;

 private:
  struct RankStreams {
    RankStreams(const std::filesystem::path& folder, int rank, int ranks);
    KeptStream events, output, errors;
  };

  std::filesystem::path folder_;
  std::vector<std::unique_ptr<RankStreams>> ranks_;
  std::optional<KeptStream> starter_;
  bool unsynced_ = false;
};

}  // namespace trainmark
