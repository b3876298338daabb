#include "logs/facts.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "base/secrets.h"
#include "base/text.h"
#include "logs/grammar/record.h"

namespace trainmark {

namespace {

constexpr int hint = 1;
constexpr int statement = 2;
constexpr int detail = 3;  // says more than the statement beside it

struct FactPattern {
  const char* name;
  int strength;
  const char* expression;  // one group: the value
  std::string (*value)(const std::string& found);
};

std::string as_it_is(const std::string& found) {
  return found;
}

/// "0,1,2,3" has four.
std::string count_of_list(const std::string& found) {
  return std::to_string(1 + std::count(found.begin(), found.end(), ','));
}

/// "560,988,160" and "10.65M" as plain numbers.
std::string plain_count(const std::string& found) {
  std::string digits;
  for (const char letter : found)
    if ((letter >= '0' && letter <= '9') || letter == '.') digits += letter;
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const char last = found.empty() ? ' ' : found.back();
  value *= last == 'K' ? 1e3 : last == 'M' ? 1e6 : last == 'B' ? 1e9 : 1;
  return fmt::format("{:.0f}", value);
}

/// "4, 2" devices along two axes are eight.
std::string product_of_list(const std::string& found) {
  double product = 1;
  for (const std::string& part : split(found, ',')) product *= std::strtod(part.c_str(), nullptr);
  return fmt::format("{:.0f}", product);
}

/// "pp=1, dp_replicate=1, dp_shard=4, cp=1, tp=2, ep=1": experts share the devices of the others.
std::string product_of_degrees(const std::string& found) {
  double product = 1;
  for (const std::string& part : split(found, ',')) {
    const std::string_view degree = trim(part);
    if (degree.starts_with("ep=") || degree.starts_with("etp=")) continue;
    const std::size_t sign = degree.find('=');
    if (sign != std::string_view::npos)
      product *= std::strtod(std::string(degree.substr(sign + 1)).c_str(), nullptr);
  }
  return fmt::format("{:.0f}", product);
}

std::string amp(const std::string&) {
  return "amp";
}

std::string fp32(const std::string&) {
  return "fp32";
}

std::string fp16(const std::string&) {
  return "fp16";
}

// A name must be whole: `infer_batch_size` is not the batch size.
#define TRAINMARK_WHOLE R"((?:^|[\s,('"{\[]|--))"
#define TRAINMARK_IS R"(['"]?\s*[:=]\s*['"]?)"

// A switch that is off says less than one that is on. Of equally strong patterns the one that
// matched first in the log counts.
constexpr FactPattern patterns[] = {
    {"batch", statement,
     TRAINMARK_WHOLE "(?:samples_per_gpu|batch_size_per_gpu|per_gpu_batch_size)" TRAINMARK_IS
                     R"((\d+))",
     as_it_is},
    {"batch", statement, R"(Per-GPU Batch Size (\d+))", as_it_is},
    {"batch", statement, R"(max tokens per GPU = (\d+))", as_it_is},
    {"batch", statement, R"(Train\.[\w.]*batch_size=(\d+))", as_it_is},
    {"batch", hint, TRAINMARK_WHOLE "batch[_-]size" TRAINMARK_IS R"((\d+))", as_it_is},
    {"batch", hint, TRAINMARK_WHOLE "BATCH_SIZE" TRAINMARK_IS R"((\d+))", as_it_is},
    {"batch", hint, TRAINMARK_WHOLE "max[_-]tokens" TRAINMARK_IS R"((\d+))", as_it_is},
    {"accumulate", hint,
     TRAINMARK_WHOLE "(?:gradient_accumulation_steps|num_accumulation_steps)" TRAINMARK_IS
                     R"((\d+))",
     as_it_is},
    {"gpus", statement, R"(GPUs used: (\d+))", as_it_is},
    {"gpus", statement, TRAINMARK_WHOLE R"(num_gpus)" TRAINMARK_IS R"((\d+))", as_it_is},
    {"gpus", statement, R"(Num GPUs (\d+))", as_it_is},
    {"gpus", statement, TRAINMARK_WHOLE "(?:world_size|WORLD_SIZE|NGPU)" TRAINMARK_IS R"((\d+))",
     as_it_is},
    {"gpus", statement, R"(training on (\d+) GPUs)", as_it_is},
    {"gpus", statement, R"(img/sec on (\d+) GPU\(s\):)", as_it_is},  // Horovod
    {"gpus", statement, R"((?i:number of gpus\s*[:=]\s*)(\d+))", as_it_is},
    {"gpus", statement, R"(Num_devices: (\d+))", as_it_is},  // MaxText, of all hosts
    {"gpus", hint, R"(\b[Uu]sing (\d+) GPUs?\b)", as_it_is},
    {"gpus", statement, R"((?:using|Distributed) world size: (\d+))", as_it_is},
    {"gpus", statement, R"(device mesh with \[[^\]]*\], \[(\d+(?:, \d+)*)\])", product_of_list},
    {"gpus", statement, R"(device mesh with parallelism: ((?:\w+=\d+(?:, )?)+))",
     product_of_degrees},
    {"gpus", statement, R"(RANK and WORLD_SIZE in environ: \d+/(\d+))", as_it_is},
    {"gpus", statement, TRAINMARK_WHOLE R"(gpus : \[(\d+(?:, ?\d+)*)\])", count_of_list},
    {"gpus", hint, R"(gpu_ids = range\(0, (\d+)\))", as_it_is},
    {"per_node", hint, R"((?:nproc_per_node=)(\d+))", as_it_is},
    {"per_node", hint, TRAINMARK_WHOLE R"((?:gpus|devices)[:=] ?(\d+(?:,\d+)*))", count_of_list},
    {"nodes", statement, TRAINMARK_WHOLE R"(nnodes[:= ]+(\d+))", as_it_is},
    {"nodes", statement, TRAINMARK_WHOLE R"(trainers: (\d+))", as_it_is},
    {"precision", detail, TRAINMARK_WHOLE "use_pure_fp16" TRAINMARK_IS R"((True|true|1))", fp16},
    {"precision", detail, TRAINMARK_WHOLE R"(dtype : float(16))", fp16},
    {"precision", statement,
     TRAINMARK_WHOLE "(?:use_amp|amp|fp16)" TRAINMARK_IS R"((True|true|1)\b)", amp},
    {"precision", hint, TRAINMARK_WHOLE "(?:use_amp|amp|fp16)" TRAINMARK_IS R"((False|false|0)\b)",
     fp32},
    {"precision", hint, TRAINMARK_WHOLE "precision" TRAINMARK_IS R"((fp32|fp16|tf32|bf16|amp))",
     as_it_is},
    {"model", statement, R"(\| model ([\w.-]+),)", as_it_is},
    {"model", hint,
     TRAINMARK_WHOLE "(?:arch|model_type|model_name|bert_model)" TRAINMARK_IS
                     R"(([A-Za-z][\w.-]*))",
     as_it_is},
    {"machine", hint,
     R"((?:NVIDIA|Tesla|GeForce|Quadro|AMD Instinct) ((?:Tesla |GeForce |RTX |GTX |TITAN )*(?:[A-Z]{1,3}\d{1,4}[A-Za-z]{0,2}|\d{4}(?: ?Ti)?))\b)",
     as_it_is},
    {"parameters", statement,
     R"((?i:number of parameters|num_parameters|total parameters|model_params)\s*[:=|]+\s*(\d[\d.,]*[KMB]?)\b)",
     plain_count},
    {"parameters", statement, R"(\bsize: (\d[\d,]*) total parameters)", plain_count},
    {"flops_per_token", statement, R"((?i:flops per token): ([\d.]+e\+?\d+))", as_it_is},
    {"peak_flops", statement, R"(Peak FLOPS[^:]*: ([\d.]+e\+?\d+))", as_it_is},
    {"version.paddle", hint, R"(PaddlePaddle: (\S+))", as_it_is},
    {"version.pytorch", hint, R"(PyTorch: (\S+))", as_it_is},
    {"version.tensorflow", hint, R"((?i:tensorflow version):? (\S+))", as_it_is},
    {"version.mxnet", hint, R"((?i:mxnet version):? (\S+))", as_it_is},
    {"version.cudnn", hint, R"(cuDNN Version: ([\d.]+\d))", as_it_is},
    {"version.cuda", hint, R"(Runtime API Version: ([\d.]+\d))", as_it_is},
    {"version.driver", hint, R"(Driver API Version: ([\d.]+\d))", as_it_is},
    {"version.nccl", hint, R"(NCCL version ([\w.+]+))", as_it_is},
};

#undef TRAINMARK_WHOLE
#undef TRAINMARK_IS

struct CompiledPattern {
  const FactPattern* pattern;
  std::unique_ptr<re2::RE2> expression;
};

const std::vector<CompiledPattern>& compiled_patterns() {
  static const std::vector<CompiledPattern> all = [] {
    std::vector<CompiledPattern> result;
    for (const auto& pattern : patterns)
      result.push_back({&pattern, std::make_unique<re2::RE2>(pattern.expression)});
    return result;
  }();
  return all;
}

/// Most lines hold none of these words and are not looked at further.
bool may_hold_fact(re2::StringPiece line) {
  static const re2::RE2 words(
      "batch|BATCH_SIZE|max.tokens|accumulation|gpu|GPU|WORLD|world.size|nproc|nnodes|trainers|"
      "devices|amp|fp16|NVIDIA|Tesla|GeForce|Quadro|Instinct|"
      "precision|dtype|arch|model|ersion|PyTorch:|PaddlePaddle:|Arch|ARCH|name :|device mesh|"
      "parameters|Parameters|FLOP");
  return re2::RE2::PartialMatch(line, words);
}

/// 1,024: whether that is one number or two, a header does not tell.
bool is_cut_by_comma(re2::StringPiece number, re2::StringPiece line) {
  const std::string_view behind(
      number.data() + number.size(),
      static_cast<std::size_t>(line.data() + line.size() - (number.data() + number.size())));
  static const re2::RE2 thousands(R"(^,\d{3}(?:\D|$))");
  const bool whole = !number.empty() && number.size() <= 3 && number[0] >= '1' && number[0] <= '9';
  return whole && re2::RE2::PartialMatch({behind.data(), behind.size()}, thousands);
}

void keep(Facts& facts, const std::string& name, Fact fact) {
  const auto [place, added] = facts.emplace(name, fact);
  if (!added && fact.strength > place->second.strength) place->second = std::move(fact);
}

Fact make_fact(std::string value, int strength, std::string_view line, std::size_t number) {
  const std::string shown = Secrets().hide(line);
  const std::size_t found = shown.find(value);
  const std::size_t from = found == std::string::npos || found < 60 ? 0 : found - 60;
  return {std::move(value),
          fmt::format("line {}: {}", number,
                      printable(trim(std::string_view(shown).substr(from)), 100)),
          strength};
}

}  // namespace

std::optional<int> number_fact(const Facts& facts, std::string_view name) {
  const auto found = facts.find(name);
  if (found == facts.end()) return std::nullopt;
  const std::string& text = found->second.value;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 1 || value > 100'000'000) return std::nullopt;
  return value;
}

double real_fact(const Facts& facts, std::string_view name) {
  const auto found = facts.find(name);
  if (found == facts.end()) return not_known;
  const double value = std::strtod(found->second.value.c_str(), nullptr);
  return value > 0 && value < 1e30 ? value : not_known;
}

void add_facts(Facts& facts, const Facts& more) {
  for (const auto& [name, fact] : more) keep(facts, name, fact);
}

/// PaddleClas prints its configuration as a tree: `Train :`, and below it `batch_size : 256`.
void FactFinder::follow_sections(std::string_view line) {
  static const re2::RE2 heading(
      R"((?:^|\s)(Train|TRAIN|Eval|VALID|Infer|Arch|ARCHITECTURE|Loss|Optimizer|OPTIMIZER) : *$)");
  std::string found;
  if (re2::RE2::PartialMatch({line.data(), line.size()}, heading, &found)) section_ = found;
}

void FactFinder::look(std::string_view line, std::size_t number) {
  if (lines_left_ == 0) return;
  --lines_left_;
  const re2::StringPiece text(line.data(), line.size());
  if (line.size() < 200) follow_sections(line);
  if (!may_hold_fact(text)) return;
  const bool training = section_ != "Eval" && section_ != "VALID" && section_ != "Infer";
  std::string found;
  re2::StringPiece piece;
  for (const auto& [pattern, expression] : compiled_patterns()) {
    if (!re2::RE2::PartialMatch(text, *expression, &piece)) continue;
    if (is_cut_by_comma(piece, text)) continue;
    found.assign(piece.data(), piece.size());
    std::string name = pattern->name;
    std::string value = pattern->value(found);
    if (name == "batch" && pattern->strength == hint) {
      if (!training) continue;
      if (section_ == "TRAIN") name = "global_batch";  // PaddleClas of 2020 prints that one
    }
    keep(facts_, name, make_fact(std::move(value), pattern->strength, line, number));
  }
  static const re2::RE2 tree_name(R"(\sname : (\w+))");
  if ((section_ == "Arch" || section_ == "ARCHITECTURE") &&
      re2::RE2::PartialMatch(text, tree_name, &found)) {
    keep(facts_, "model", make_fact(found, statement, line, number));
  }
}

Facts FactFinder::take() {
  Facts result;
  std::swap(result, facts_);
  section_.clear();
  return result;
}

}  // namespace trainmark
