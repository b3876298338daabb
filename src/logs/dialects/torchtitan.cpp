#include "logs/grammar/dialect.h"
#include "logs/grammar/duration.h"
#include "logs/grammar/intervals.h"

// TorchTitan. `tps` (once `wps`) is that of one device, over the steps since the line before. The
// header says the batch of a device and of all, which tells how many share the batch; where tensors
// or layers are split as well, the mesh says over how many devices. Without the header, the figure
// is that of one device. Meta Lingua prints lines alike, with `wps: 1.6e+04` and no memory.

namespace trainmark {

namespace {

struct State {
  StepGaps gaps;
  double local = not_known;   // batch of a device, in sequences
  double global = not_known;  // of all
  double accumulate = 1;
  double length = not_known;  // of a sequence, in tokens
  double split = 1;           // devices that work on the same sequences
};

void read_header(const Cursor& line, State& state) {
  const auto said = [&](std::string_view key, double& value) {
    Cursor cursor = line;
    std::int64_t whole = 0;
    if (cursor.skip_to(key) && cursor.whole(whole) && whole > 0) value = static_cast<double>(whole);
  };
  if (line.find("global batch size") == std::string_view::npos) return;
  state.accumulate = 1;
  said("local batch size ", state.local);
  said("global batch size ", state.global);
  said("gradient accumulation steps ", state.accumulate);
  said("sequence length ", state.length);
}

/// `Building device mesh with parallelism: pp=1, dp_replicate=1, dp_shard=4, cp=1, tp=2, ep=1`.
void read_parallelism(Cursor line, State& state) {
  if (!line.skip_to("device mesh with parallelism:")) return;
  state.split = 1;
  for (const std::string_view key : {" pp=", " cp=", " tp="}) {
    Cursor cursor = line;
    std::int64_t size = 0;
    if (cursor.skip_to(key) && cursor.whole(size) && size > 0)
      state.split *= static_cast<double>(size);
  }
}

/// `Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]`, as it was before.
void read_mesh(const Cursor& line, State& state) {
  Cursor names = line;
  if (!names.skip_to("device mesh with [")) return;
  Cursor sizes = names;
  if (!sizes.skip_to("], [")) return;
  const std::size_t end = sizes.place() - 4;
  state.split = 1;
  while (names.place() < end && names.skip_to("'")) {
    const bool shared = names.literal("tp") || names.literal("pp") || names.literal("cp");
    std::int64_t size = 0;
    if (!names.skip_to("'") || !sizes.whole(size)) return;
    sizes.literal(",");
    if (shared) state.split *= static_cast<double>(size);
  }
}

void read_rank(std::string_view front, Record& record) {
  Cursor cursor(front);
  std::int64_t rank = 0;
  if (cursor.skip_to("[rank") && cursor.whole(rank) && cursor.literal("]") && rank < 1'000'000)
    record.rank = static_cast<int>(rank);
}

/// `1.6e+04` is no whole number, though it begins like one.
bool ends_whole(const Cursor& line) {
  const std::string_view rest = line.rest();
  return rest.empty() || rest.front() == ' ';
}

bool read(Cursor& line, Record& record, State& state) {
  if (!begin_record(line, record, "step:") || !line.whole(record.step)) return false;
  if (line.line().substr(0, record.begin).ends_with("validate ")) return false;
  if (!line.literal(" ")) return false;
  take_loss(line, record, " loss:");
  if (!line.skip_to("memory:") || !take_bytes(line, record.memory)) return false;
  if (!line.skip_to(" tps:") && !line.skip_to(" wps:")) return false;
  std::int64_t tokens = 0;
  if (!line.whole(tokens) || tokens < 1 || !ends_whole(line)) return false;
  double percent = 0;
  if (line.skip_to("mfu:") && line.number(percent)) record.mfu = percent / 100;
  read_rank(line.line().substr(0, record.begin), record);
  const auto of_device = static_cast<double>(tokens);
  const double devices = state.global / (state.local * state.accumulate) * state.split;
  const bool of_all = positive(devices) && positive(state.length);
  record.steps = state.gaps.take(record.step);
  record.items = of_all ? state.global * state.length : 1;
  record.seconds = record.items / (of_device * (of_all ? devices : 1));
  record.per_item = record.of_device = !of_all;
  return true;
}

RecordReader make_reader() {
  return [state = State()](Cursor& line, Record& record) mutable {
    if (read(line, record, state)) return true;
    read_header(line, state);
    read_parallelism(line, state);
    read_mesh(line, state);
    return false;
  };
}

/// `validate step: 100  loss:  3.2500  memory: …`.
void read_validation(std::string_view text, const QualityKeeper& keep) {
  Cursor line(text);
  double loss = 0;
  if (line.skip_to("validate step:") && line.skip_to("loss:") && line.number(loss))
    keep("val_loss", loss);
}

const Registration<Dialect> registered(
    "torchtitan",
    {.summary = "TorchTitan",
     .sample =
         "[rank0]:[titan] 2024-01-02 03:04:05,678 - root - INFO - Trainer is initialized with "
         "local batch size 8, global batch size 64, gradient accumulation steps 1, sequence "
         "length 2048, total steps 1000 (warmup 100)\n[rank0]:[titan] 2024-01-02 03:04:06,678 - "
         "root - INFO - step: 20  loss:  8.5000  grad_norm:  1.5000  memory: 20.50GiB(25.90%)  "
         "tps: 16,384  tflops: 400.00  mfu: 40.00%",
     .scope = Scope::job,
     .unit = "tokens/s",
     .unit_is_fixed = true,
     .field = "tps",
     .items_from = ItemsFrom::records,
     .counted = Counted::all_but_a_tenth,
     .quality_reader = [] { return QualityReader(read_validation); },
     .reader = make_reader});

}  // namespace

}  // namespace trainmark
