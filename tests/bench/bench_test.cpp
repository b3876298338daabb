#include <gtest/gtest.h>

#include <csignal>

#include "base/error.h"
#include "base/files.h"
#include "bench/failure.h"
#include "bench/kept_stream.h"
#include "bench/measuring.h"
#include "temporary_folder.h"

namespace trainmark {
namespace {

TEST(KeptStream, KeepsBeginningAndEnd) {
  const TemporaryFolder folder;
  KeptStream stream(folder / "log");
  std::string whole = "first line\n";
  for (int i = 0; i < 40; ++i) whole += std::string(1 << 20, static_cast<char>('A' + i));
  whole += "last line\n";
  for (std::size_t at = 0; at < whole.size(); at += 300'000) stream.add(whole.substr(at, 300'000));
  stream.finish();
  const std::string text = read_file(folder / "log", SIZE_MAX);
  EXPECT_TRUE(text.starts_with(whole.substr(0, KeptStream::head_limit)));
  EXPECT_TRUE(text.ends_with(whole.substr(whole.size() - KeptStream::tail_limit)));
  EXPECT_EQ(text.find("\n[trainmark: "), KeptStream::head_limit);
  EXPECT_NE(text.find("bytes were not stored here"), std::string::npos);
  EXPECT_LT(text.size(), KeptStream::head_limit + 3 * KeptStream::tail_limit);
  EXPECT_GT(stream.lost(), 0U);
}

TEST(KeptStream, KeepsAllOfASmallOne) {
  const TemporaryFolder folder;
  KeptStream stream(folder / "log");
  stream.add("a");
  stream.add(std::string("\0b", 2));
  stream.finish();
  EXPECT_EQ(read_file(folder / "log", 10), std::string("a\0b", 3));
  EXPECT_EQ(stream.lost(), 0U);
}

EventReader reader_of(const std::string& text) {
  EventReader reader;
  reader.feed(text);
  return reader;
}

const char* const one_step =
    "{\"event\":\"step\",\"step\":0,\"end\":1,\"seconds\":1,\"items\":1}\n";

std::string kind_of(const RankOutcome& outcome, const std::string& events,
                    const Intervention& intervention = {}) {
  return judge_ending({outcome}, {reader_of(events)}, {}, intervention, 60).kind;
}

TEST(Ending, IsJudged) {
  RankOutcome well;
  well.code = 0;
  RankOutcome crashed;
  crashed.signal = SIGSEGV;
  RankOutcome exited;
  exited.code = 3;
  RankOutcome absent;
  absent.start_error = "no such file";
  EXPECT_EQ(kind_of(well, one_step), "");
  EXPECT_EQ(kind_of(well, ""), "no-events");
  EXPECT_EQ(kind_of(crashed, one_step), "crash");
  EXPECT_EQ(kind_of(exited, one_step), "exit");
  EXPECT_EQ(kind_of(absent, ""), "start-failed");
  EXPECT_EQ(kind_of(well, "rubbish\n"), "bad-events");
  EXPECT_EQ(kind_of(exited, "{\"event\":\"failure\",\"kind\":\"out-of-memory\"}\n"),
            "out-of-memory");
  EXPECT_EQ(kind_of(crashed, one_step, {.timed_out = true}), "timeout");
  // The request to stop came while a trainer that had done all its steps was going home.
  RankOutcome late;
  late.signal = SIGUSR1;
  EXPECT_EQ(
      kind_of(late, std::string(one_step) + "{\"event\":\"end\",\"steps\":1,\"why\":\"steps\"}\n"),
      "");
  EXPECT_EQ(kind_of(late, one_step), "crash");
  // It had to be killed after it had given enough: not a failure.
  EXPECT_EQ(kind_of(crashed, one_step, {.killed = true}), "");
}

TEST(Ending, NamesTheRankAndTheSignal) {
  RankOutcome well;
  well.code = 0;
  RankOutcome killed;
  killed.signal = SIGKILL;
  const Failure failure =
      judge_ending({well, killed}, {reader_of(one_step), reader_of(one_step)}, {}, {}, 60);
  EXPECT_NE(failure.reason.find("rank 1"), std::string::npos) << failure.reason;
  EXPECT_NE(failure.reason.find("SIGKILL"), std::string::npos) << failure.reason;
  EXPECT_NE(failure.reason.find("memory"), std::string::npos) << failure.reason;
}

// When one rank dies, its peers fail too, or are ended for it: the reason is the first one's.
TEST(Ending, IsThatOfTheRankForWhichTheOthersWereEnded) {
  RankOutcome ended;
  ended.signal = SIGTERM;
  RankOutcome crashed;
  crashed.signal = SIGSEGV;
  RankOutcome complains;
  complains.code = 1;
  const std::vector<EventReader> readers = {
      reader_of(one_step), reader_of(one_step),
      reader_of("{\"event\":\"failure\",\"kind\":\"other\",\"message\":\"peer is gone\"}\n")};
  const Failure failure =
      judge_ending({ended, crashed, complains}, readers, {{"a", 0}, {"b", 0}, {"c", 0}},
                   {.failed_ranks = {1, 2}}, 60);
  EXPECT_EQ(failure.kind, "crash");
  EXPECT_NE(failure.reason.find("rank 1 on b"), std::string::npos) << failure.reason;
}

TEST(Ending, OfARankThatGoesWithoutAWordIsAFailure) {
  RankOutcome well;
  well.ended = true;
  well.code = 0;
  const Failure failure = judge_ending({well, well}, {reader_of(one_step), reader_of(one_step)}, {},
                                       {.failed_ranks = {1}}, 60);
  EXPECT_EQ(failure.kind, "exit");
  EXPECT_NE(failure.reason.find("rank 1"), std::string::npos) << failure.reason;
}

TEST(Ending, NamesARankWhoseWordsWereLostAndOneThatIsFarBehind) {
  RankOutcome lost;
  lost.ended = true;
  lost.lost = "mpirun ended with exit code 1 before this rank was started";
  EXPECT_EQ(kind_of(lost, one_step), "rank-lost");
  std::string many;
  for (int i = 0; i < 50; ++i) {
    many += fmt::format("{{\"event\":\"step\",\"step\":{},\"end\":{},\"seconds\":1,\"items\":1}}\n",
                        i, i + 1);
  }
  const Failure failure = judge_ending({lost, lost}, {reader_of(many), reader_of(one_step)},
                                       {{"a", 0}, {"b", 0}}, {.timed_out = true}, 60);
  EXPECT_EQ(failure.kind, "timeout");
  EXPECT_NE(failure.reason.find("rank 1 on b"), std::string::npos) << failure.reason;
}

std::string refusal(const std::string& text) {
  try {
    settle_measuring(parse_suite("matrix: {workload: a}\n" + text, "s.yaml"));
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Measuring, ChecksNamesAndValues) {
  EXPECT_EQ(refusal("measure: {rule: fixed, steps: 20, skip: 5}"), "accepted");
  EXPECT_NE(refusal("measure:\n  rule: adaptve\n").find("s.yaml:3: unknown rule"),
            std::string::npos);
  EXPECT_NE(refusal("measure: {rule: adaptve}").find("'adaptive'"), std::string::npos);
  EXPECT_NE(refusal("measure:\n  intervall: 0.1\n").find("did you mean 'interval'"),
            std::string::npos);
  EXPECT_NE(refusal("measure:\n  interval: -3\n").find("s.yaml:3"), std::string::npos);
  EXPECT_NE(
      refusal("measure:\n  rule: fixed\n  skip: 30\n  steps: 30\n").find("s.yaml:4: skip = 30"),
      std::string::npos);
  EXPECT_NE(refusal("measure: {rule: fixed, steps: 30}").find("s.yaml:2: skip = 50"),
            std::string::npos);
  EXPECT_NE(refusal("launcher: loacl").find("'local'"), std::string::npos);
}

TEST(Measuring, TakesTheRoundsOfTheRule) {
  const auto rounds = [](const std::string& text) {
    return settle_measuring(parse_suite("matrix: {workload: a}\n" + text, "s.yaml")).rounds;
  };
  EXPECT_EQ(rounds(""), 3);
  EXPECT_EQ(rounds("measure: {rule: fixed}"), 5);
  EXPECT_EQ(rounds("rounds: 7"), 7);
}

}  // namespace
}  // namespace trainmark
