#include "logs/grammar/dialect.h"

// NVIDIA's Transformer on fairseq. The line `step ()` closes a run, and `Translated … tokens/s` is
// inference; neither is a record.

namespace trainmark {

namespace {

bool read(Cursor& line, Record& record) {
  const std::size_t found = line.find("| step ");
  if (found == std::string_view::npos) return false;
  record.begin = static_cast<std::uint32_t>(found);
  if (line.skip_to("epoch ") && line.place() < found) line.whole(record.epoch);
  line.move_to(found);
  if (!line.literal("| step ") || !line.whole(record.step)) return false;
  take_loss(line, record, "|avg loss ");
  return line.skip_to("|tokens/s ") && line.number(record.rate);
}

const Registration<Dialect> registered(
    "fairseq_transformer",
    {.summary = "NVIDIA's Transformer for PyTorch, on fairseq",
     .sample = "Transformer | epoch 0 | step 20 |avg loss 12.345 |avg tokens 4800.000 |tokens/s "
               "9600.000 |walltime 20.000 |",
     .scope = Scope::job,
     .unit = "tokens/s",
     .field = "tokens/s",
     .tokens = true,
     .decoys = {"Translated ", "step ()"},
     .quality = {{"valid_loss", "valid_loss "},
                 {"valid_ppl", "valid_ppl "},
                 {"time_to_train", "done training in "}},
     .reader = stateless(read)});

}  // namespace

}  // namespace trainmark
