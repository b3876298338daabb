#include "bench/run_streams.h"

#include "base/error.h"
#include "base/files.h"
#include "protocol/run_files.h"

namespace trainmark {

RunStreams::RankStreams::RankStreams(const std::filesystem::path& folder, int rank, int ranks)
    : events(folder / events_file(rank, ranks)),
      output(folder / output_file(rank, ranks)),
      errors(folder / errors_file(rank, ranks)) {}

RunStreams::RunStreams(std::filesystem::path folder, int ranks) : folder_(std::move(folder)) {
  for (int rank = 0; rank < ranks; ++rank)
    ranks_.push_back(std::make_unique<RankStreams>(folder_, rank, ranks));
}

void RunStreams::add(int rank, Stream stream, std::string_view bytes) {
  if (rank == starter_rank) {
    if (!starter_) starter_.emplace(folder_ / starter_file);
    starter_->add(bytes);
    return;
  }
  RankStreams& kept = *ranks_[static_cast<std::size_t>(rank)];
  switch (stream) {
    case Stream::events:
      kept.events.add(bytes);
      break;
    case Stream::output:
      kept.output.add(bytes);
      break;
    case Stream::errors:
      kept.errors.add(bytes);
      break;
  }
}

void RunStreams::finish() {
  if (starter_) starter_->finish();
  for (auto& kept : ranks_) {
    kept->events.finish();
    kept->output.finish();
    kept->errors.finish();
  }
  try {
    sync_folder(folder_);
  } catch (const SystemError&) {
    unsynced_ = true;  // no reason to lose the run: its record says so
  }
}

LostBytes RunStreams::lost() const {
  LostBytes lost;
  lost.unsynced = unsynced_;
  for (const auto& kept : ranks_) {
    lost.events += kept->events.lost();
    lost.logs += kept->output.lost() + kept->errors.lost();
  }
  return lost;
}

}  // namespace trainmark
