#include "logs/grammar/dllogger.h"

// NVIDIA's BERT for PyTorch. Steps have a time stamp and no rate; the closing line has sequences ÷
// time of the whole run, and is the figure where it is there.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  if (!read_dllogger_head(line, record)) return false;
  if (record.kind == RecordKind::step) {
    if (line.find("average_loss") == std::string_view::npos) return false;
    record.has_loss = dllogger_field(line, "average_loss", record.loss);
  } else if (!dllogger_field(line, "training_sequences_per_second", record.rate)) {
    return false;
  }
  line.move_to(line.line().size());
  return true;
}

Dialect dialect() {
  Dialect result = dllogger_dialect(
      "NVIDIA's BERT for PyTorch (DLLogger)",
      "DLL 2024-01-02 03:04:05.678901 - Training Epoch: 0 Training Iteration: 5  average_loss : "
      "10.25  learning_rate : 0.004  skipped_steps : 0 ",
      "training_sequences_per_second", "average_loss", "sequences/s");
  result.headline = RecordKind::summary;
  result.quality = {{"final_loss", "final_loss : "}, {"time_to_train", "e2e_train_time : "}};
  result.reader = stateless(read);
  return result;
}

const Registration<Dialect> registered("dll_bert_pytorch", dialect());

}  // namespace

}  // namespace trainmark
