// What the generic reader makes of logs of many shapes; all of them are made up.

#include "logs/generic/learn.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "logs/figure.h"
#include "logs/generic/generic_dialect.h"
#include "logs/generic/scheme_words.h"
#include "logs/grammar/pattern_dialect.h"
#include "logs/learned.h"
#include "logs/text/text_source.h"

namespace trainmark {
namespace {

/// Lines 1 to `count` of a log.
std::string lines_of(int count, const std::function<std::string(int)>& line) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += line(i) + "\n";
  return text;
}

LineReader reader_of(const std::string& text) {
  return LineReader(std::make_unique<TextSource>(text));
}

std::optional<LogScheme> learn(const std::string& text) {
  LineReader lines = reader_of(text);
  FormatLearner learner;
  for (std::string_view line; lines.next(line);) learner.look(line);
  return learner.scheme();
}

LogFigure figure_of(const std::string& text, const GivenFacts& given = {}) {
  LineReader lines = reader_of(text);
  Dialect dialect = learned_dialect(lines, given).value();
  LineReader again = reader_of(text);
  const LogContents contents = read_log(again, generic_name, dialect);
  dialect.scope = learned_scope(dialect, contents, given);
  return blind_figure(contents, dialect, given);
}

/// Seconds since midnight as a time stamp.
std::string stamp(double seconds) {
  const int whole = static_cast<int>(seconds);
  return fmt::format("2024-01-02 {:02}:{:02}:{:02},{:03}", whole / 3600, whole / 60 % 60,
                     whole % 60, static_cast<int>((seconds - whole) * 1000));
}

struct MadeUpLog {
  const char* name;
  std::string text;
  double throughput;
  const char* unit;
};

/// Every log is of a training with 0.25 s per step, 8 items each.
std::vector<MadeUpLog> made_up() {
  std::vector<MadeUpLog> logs;
  const auto add = [&](const char* name, double throughput, const char* unit,
                       const std::function<std::string(int)>& line) {
    logs.push_back({name, lines_of(60, line), throughput, unit});
  };
  add("a rate in items", 32, "samples/s",
      [](int i) { return fmt::format("iter {} loss 0.5 32.{} samples/s", 10 * i, i % 2); });
  add("a rate with commas and a suffix", 32e3, "tokens/s",
      [](int i) { return fmt::format("step {:5} | loss 2.1 | 32.00k tok/s | eta 0:10", i); });
  add("steps per second", 4, "steps/s",
      [](int i) { return fmt::format("[ {}/5000] loss=0.5 4.00it/s", i); });
  add("seconds per step", 4, "steps/s",
      [](int i) { return fmt::format("Step #{}: loss 0.5, 0.25 s/it", i); });
  add("milliseconds in the name", 4, "steps/s", [](int i) {
    return fmt::format(
        " iteration {:8}/    1000 | elapsed time per iteration (ms): 250.{} | lm loss: 2", i,
        i % 2);
  });
  add("a time of all steps since the line before", 4, "steps/s",
      [](int i) { return fmt::format("{} INFO step {} time 2.50", stamp(2.5 * i), 10 * i); });
  add("a time of one step", 4, "steps/s",
      [](int i) { return fmt::format("{} INFO step {} time 0.250", stamp(2.5 * i), 10 * i); });
  add("a time since the start", 4, "steps/s",
      [](int i) { return fmt::format("step {} loss 0.5 elapsed {:.2f}", 10 * i, 2.5 * i); });
  add("a mean in brackets", 4, "steps/s", [](int i) {
    return fmt::format("Epoch: [0][{}/700]\tTime 0.100 (0.250)\tData 0.010 (0.020)", 10 * i);
  });
  add("time stamps only", 4, "steps/s", [](int i) {
    return fmt::format("[{}] train INFO: epoch 0 step {} loss 0.5", stamp(0.25 * i), i);
  });
  add("JSON", 32, "samples/s", [](int i) {
    return fmt::format(R"({{"loss": 0.5, "step": {}, "samples_per_second": 32.0}})", i);
  });
  add("several ranks", 32, "images/s", [](int i) {
    return fmt::format("[rank0]: step {0} 32.0 img/s\n[rank1]: step {0} 31.0 img/s", i);
  });
  add("epochs only", 4, "epochs/s",
      [](int i) { return fmt::format("Epoch {} loss 2.5 | train 0.25s", i); });
  add("a bar on one line", 4, "steps/s", [](int i) {
    return fmt::format("\r{:3}%|███  | {}/60 [00:{:02}<00:10,  4.00it/s]", i, i, i / 4);
  });
  return logs;
}

TEST(Learning, ReadsLogsOfManyShapes) {
  for (const MadeUpLog& log : made_up()) {
    ASSERT_TRUE(learn(log.text)) << log.name;
    const LogFigure figure = figure_of(log.text);
    EXPECT_NEAR(figure.throughput / log.throughput, 1, 0.03) << log.name;
    EXPECT_EQ(figure.unit, log.unit) << log.name;
    EXPECT_EQ(figure.dialect, "generic");
  }
}

/// Twenty lines whose rate, counter and time stamps agree are beyond doubt; with any of them
/// missing it is a guess.
TEST(Learning, IsSureWhereSeveralSignsAgree) {
  const auto line = [](double seconds) {
    return [seconds](int i) {
      return fmt::format("{} step {} loss 2 {} s/it", stamp(seconds * i), i, 0.25);
    };
  };
  EXPECT_EQ(learn(lines_of(40, line(0.25)))->confidence, Confidence::high);
  EXPECT_EQ(learn(lines_of(40, line(0.5)))->confidence, Confidence::low);  // they contradict
  EXPECT_EQ(learn(lines_of(4, line(0.25)))->confidence, Confidence::low);  // too few
  EXPECT_EQ(
      learn(lines_of(40, [](int i) { return fmt::format("step {} 0.25 s/it", i); }))->confidence,
      Confidence::medium);
  // Ten steps between two lines: is that the time of one, or of all?
  EXPECT_EQ(learn(lines_of(40, [](int i) { return fmt::format("step {} time 0.25", 10 * i); }))
                ->confidence,
            Confidence::low);
}

TEST(Learning, PassesOverWhatIsNoTraining) {
  const std::string text =
      lines_of(200,
               [](int i) {
                 return fmt::format("Map: {}/200 [00:{:02}<00:00, 900.00 examples/s]", i, i / 9);
               }) +
      lines_of(30, [](int i) { return fmt::format("step {} loss 2 32.0 samples/s", i); }) +
      lines_of(100, [](int i) { return fmt::format("Test: [{}/100] 500.0 samples/s", i); });
  EXPECT_NEAR(figure_of(text).throughput, 32, 0.5);
}

TEST(Learning, SaysWhatItFoundAndHowToCorrectIt) {
  const LogScheme scheme = learn(lines_of(30, [](int i) {
                             return fmt::format("iter {}: loss 2, time 250.00ms", 10 * i);
                           })).value();
  const std::vector<std::string> words = scheme_words(scheme, false);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_NE(words[0].find("the counter is 'iter'"), std::string::npos) << words[0];
  EXPECT_NE(words[0].find("'time … ms' (per step)"), std::string::npos) << words[0];
  EXPECT_NE(words[1].find("--batch N"), std::string::npos) << words[1];
  EXPECT_NE(words[1].find(scheme_pattern(scheme)), std::string::npos) << words[1];
}

/// Whatever pattern is suggested reads the line that it was made from, to the same figure.
TEST(Learning, SuggestsPatternsThatWork) {
  std::size_t tried = 0;
  for (const MadeUpLog& log : made_up()) {
    const LogScheme scheme = learn(log.text).value();
    const std::string pattern = scheme_pattern(scheme);
    if (pattern.empty()) continue;
    ++tried;
    const RecordReader read = pattern_dialect(pattern, Scope::job).reader();
    Record record;
    Cursor cursor(scheme.first_line);
    ASSERT_TRUE(read(cursor, record)) << pattern << "\n" << scheme.first_line;
    EXPECT_GE(record.step, 1) << pattern;
    const double pace = record.rate > 0 ? record.rate / 32 : 0.25 / record.seconds;
    EXPECT_TRUE(std::abs(pace - 1) < 0.05 || std::abs(pace - 1000) < 50) << pattern;
  }
  EXPECT_GE(tried, 8U);
}

TEST(Learning, MultipliesABatchOnlyWhereItIsGiven) {
  const std::string text =
      "batch_size: 8\n" + lines_of(40, [](int i) { return fmt::format("step {} 0.25 s/it", i); });
  EXPECT_NEAR(figure_of(text).throughput, 4, 0.1);
  EXPECT_EQ(figure_of(text).unit, "steps/s");
  GivenFacts given;
  given.batch = 8;
  given.gpus = 2;
  EXPECT_NEAR(figure_of(text, given).throughput, 64, 1);
}

TEST(Learning, SeesThatARateIsOneRanks) {
  const auto text = [](int gpus) {
    return fmt::format("batch_size: 8\nworld_size: {}\n", gpus) + lines_of(40, [](int i) {
             return fmt::format("step {} step_time 0.25 s, 32.0 samples/s", i);
           });
  };
  EXPECT_NEAR(figure_of(text(4)).throughput, 128, 1);
  EXPECT_NEAR(figure_of(text(1)).throughput, 32, 0.5);
}

TEST(Learning, FindsNothingWhereNothingIs) {
  EXPECT_FALSE(learn(""));
  EXPECT_FALSE(learn("no numbers\nat all\n"));
  EXPECT_FALSE(learn(lines_of(100, [](int i) { return fmt::format("loss {}", i % 3 * 0.5); })));
}

TEST(Learning, StaysBounded) {
  FormatLearner learner;
  for (int i = 0; i < 5'000; ++i)
    learner.look(std::string(1 + i % 50, static_cast<char>('a' + i % 26)) + " " +
                     std::to_string(i) + " " + std::string(static_cast<std::size_t>(i % 3), 'x') +
                     " 1 2 3 4 5 6 7 8 9",
                 i);
  learner.scheme();
}

}  // namespace
}  // namespace trainmark
