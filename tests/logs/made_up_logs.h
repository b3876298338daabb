#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "logs/contents.h"
#include "logs/figure.h"
#include "logs/text/line_reader.h"
#include "logs/text/text_source.h"

namespace trainmark {

/// A text of its own as a log, given in pieces of a chosen size.
class PiecewiseSource : public ByteSource {
 public:
  explicit PiecewiseSource(std::string text, std::size_t piece = 65536)
      : text_(std::move(text)), piece_(piece) {}

  std::size_t read(char* buffer, std::size_t size) override {
    const std::size_t count = text_.copy(buffer, std::min(size, piece_), given_);
    given_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t piece_;
  std::size_t given_ = 0;
};

inline LogContents read_text(const std::string& text, const std::string& dialect,
                             const ReadOptions& options = {}) {
  LineReader lines(std::make_unique<TextSource>(text));
  return read_log(lines, dialect, dialect_named(dialect), options);
}

inline LogFigure blind(const std::string& text, const std::string& dialect,
                       const GivenFacts& given = {}) {
  return blind_figure(read_text(text, dialect), dialect_named(dialect), given);
}

inline bool has_verdict(const LogFigure& figure, const std::string& name) {
  return std::any_of(figure.verdicts.begin(), figure.verdicts.end(),
                     [&](const Verdict& verdict) { return verdict.name == name; });
}

/// Lines of a dialect, one for each step from 1 on.
inline std::string lines_of(int count, const std::function<std::string(int step)>& line) {
  std::string text;
  for (int step = 1; step <= count; ++step) text += line(step) + "\n";
  return text;
}

inline std::string seg_line(int step, double rate, double seconds = 0.5) {
  return fmt::format(
      "2024-01-02 03:04:05 [INFO]\t[TRAIN] epoch: 1, iter: {}/400, loss: 1.5, lr: 0.01, "
      "batch_cost: {:.4f}, reader_cost: 0.01, ips: {:.4f} samples/sec | ETA 00:01:00",
      step * 10, seconds, rate);
}

inline std::string plsc_line(int step, double rate) {
  return fmt::format(
      "INFO 2024-01-02 03:{:02}:{:02},000 entry.py:10] Pass:0 batch:{} lr:0.1 loss:40.5 qps:{:.2f}",
      step / 60, step % 60, step, rate);
}

}  // namespace trainmark
