#include "bench/run_streams.h"

#include <gtest/gtest.h>

#include <set>

#include "base/files.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

std::set<std::string> files_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(RunStreams, OfOneRankAreNamedWithoutIt) {
  const TemporaryFolder folder;
  RunStreams streams(folder.path(), 1);
  streams.add(0, Stream::events, "{}\n");
  streams.add(0, Stream::output, "out");
  streams.add(0, Stream::errors, "err");
  streams.add(0, Stream::output, "put");
  streams.finish();
  EXPECT_EQ(files_in(folder.path()),
            (std::set<std::string>{"events.jsonl", "stdout.log", "stderr.log"}));
  EXPECT_EQ(read_file(folder / "events.jsonl", 100), "{}\n");
  EXPECT_EQ(read_file(folder / "stdout.log", 100), "output");
  EXPECT_EQ(read_file(folder / "stderr.log", 100), "err");
}

TEST(RunStreams, KeepRanksAndTheirStarterApart) {
  const TemporaryFolder folder;
  RunStreams streams(folder.path(), 2);
  streams.add(1, Stream::events, "of one");
  streams.add(starter_rank, Stream::errors, "mpirun: hello");
  streams.finish();
  EXPECT_EQ(read_file(folder / "events.0.jsonl", 100), "");
  EXPECT_EQ(read_file(folder / "events.1.jsonl", 100), "of one");
  EXPECT_EQ(read_file(folder / "starter.log", 100), "mpirun: hello");
}

TEST(RunStreams, CountWhatIsNotOnDisk) {
  const TemporaryFolder folder;
  RunStreams streams(folder.path(), 2);
  const std::string piece(8 << 20, 'x');
  for (int i = 0; i < 5; ++i) streams.add(0, Stream::output, piece);
  for (int i = 0; i < 5; ++i) streams.add(1, Stream::events, piece);
  streams.finish();
  EXPECT_GT(streams.lost().logs, 1U << 20);
  EXPECT_GT(streams.lost().events, 1U << 20);
}

}  // namespace
}  // namespace trainmark
