#include "logs/grammar/dialect.h"

// TensorFlow's tf_cnn_benchmarks: `step<TAB>images/sec: mean +/- uncertainty (jitter =
// …)<TAB>loss`. The rate is a running mean over all steps since the warm-up; a total closes the
// run.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (begin_record(line, record, "total images/sec:")) {
    record.kind = RecordKind::summary;
    return line.number(record.rate);
  }
  const std::size_t found = line.find("\timages/sec:");
  if (found == std::string_view::npos) return false;
  std::size_t digits = found;
  while (digits > 0 && line.line()[digits - 1] >= '0' && line.line()[digits - 1] <= '9') --digits;
  line.move_to(digits);
  record.begin = static_cast<std::uint32_t>(digits);
  if (digits == found || !line.whole(record.step)) return false;
  if (!line.skip_to("images/sec:") || !line.number(record.rate)) return false;
  take_loss(line, record, ")\t");
  return true;
}

const Registration<Dialect> registered(
    "tf_cnn_benchmarks", {.summary = "TensorFlow's tf_cnn_benchmarks",
                          .sample = "20\timages/sec: 1250.5 +/- 1.5 (jitter = 2.5)\t7.123",
                          .scope = Scope::job,
                          .unit = "images/s",
                          .field = "images/sec",
                          .running_mean = true,
                          .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
