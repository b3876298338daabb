#include "logs/log_name.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "base/text.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

// Names are looked at from the file upwards; what lies further up is a place of the machine.
constexpr int folders_looked_at = 2;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

bool matches_whole(const std::string& text, const re2::RE2& expression) {
  return re2::RE2::FullMatch(text, expression);
}

/// Words that a number follows which sets something: different numbers are different trainings.
const re2::RE2& parameter_words() {
  static const re2::RE2 words(
      R"((?:gpus?|cards?|devices?|nodes?|np|procs?|ranks|world|workers|threads?|cores?|)"
      R"(dp|tp|pp|cp|ep|fsdp|zero|stage|phase|part|shards?|experts?|)"
      R"(bs|b|mbs|gbs|batch|batchsize|size|micro|accum|acc|accumulate|accumulation|ga|steps?|iters?|epochs?|)"
      R"(seq|seqlen|len|length|ctx|dim|width|height|depth|layers?|heads?|hidden|rank|group|groups|)"
      R"(lr|wd|decay|warmup|dropout|beam|top|temp|scale|level|opt|mode|prefetch|bits?|)"
      R"(alpha|beta|gamma|eps|window|patch|gqa|kv|moe|lora|qlora|ckpt|checkpoint|[bdehklnptvw]|)"
      R"(v|ver|version|model|config|cfg|exp|experiment|variant|case|option|setting|ablation|task|fold|split|)"
      R"(torch|pytorch|cuda|cudnn|nccl|python|py|tf|jax|driver|llama|gpt|qwen|gemma|phi|yolo|mistral|glm|sd|yolov|resnet|vgg))");
  return words;
}

/// The last word of a name, from the last sign on.
std::string last_word(const std::string& name) {
  const std::size_t sign = name.find_last_of("-_. ");
  return sign == std::string::npos ? name : name.substr(sign + 1);
}

/// `_1`, `-run3`, `.r11`, `rank0`, `seed_2`. A bare number is a run only behind an underscore, and
/// not where the word in front of it says what it counts (`gpu_8`, `zero_2`) or is a number itself
/// (`2024_05_01`). Nor is `resnet_50`: nobody repeats a run that often.
bool take_run_mark(std::string& name) {
  static const re2::RE2 named(
      R"((|.*?[-_. ])(?:run|rank|trial|round|repeat|rep|seed|worker|attempt)[-_]?\d+)");
  static const re2::RE2 letter(R"((.+)[-_.]r\d+)");
  static const re2::RE2 number(R"((.+)_(?:0?\d|1[0-2]))");
  static const re2::RE2 low_rank(R"(.*(?:lora|dora|adapter|low)[-_. ]?r(?:ank)?[-_]?\d+)");
  std::string rest;
  const std::string plain = lower(name);
  if (re2::RE2::FullMatch(plain, low_rank)) return false;
  if (re2::RE2::FullMatch(plain, named, &rest)) {
    while (!rest.empty() && std::string_view("-_. ").find(rest.back()) != std::string_view::npos)
      rest.pop_back();
  } else if (!re2::RE2::FullMatch(plain, letter, &rest)) {
    if (!re2::RE2::FullMatch(plain, number, &rest)) return false;
    const std::string word = last_word(rest);
    const bool letters = std::any_of(word.begin(), word.end(),
                                     [](unsigned char sign) { return std::isalpha(sign) != 0; });
    if (!letters || matches_whole(word, parameter_words())) return false;
  }
  name.resize(rest.size());
  return true;
}

/// A folder that is all mark: `run1/train.log`, `rank0/stdout.log`.
bool is_run_folder(const std::string& name) {
  static const re2::RE2 mark(R"((?:run|rank|trial|round|repeat|seed|r)[-_]?\d+)");
  return matches_whole(lower(name), mark);
}

/// `gpu8`, `8gpus`, `4n8g`, `node4`, `N1C8`, with what stands in front of it.
const re2::RE2& size_mark() {
  static const re2::RE2 mark(
      R"((?i)(^|[-_. ])(?:gpus?[-_]?\d+|\d+[-_]?gpus?|\d+n\d+g|nodes?[-_]?\d+|\d+[-_]?nodes?|n\d+c\d+|dp\d+|\d+cards?))");
  return mark;
}

/// Of the whole job. Where nodes are named beside the GPUs, these may be those of one.
std::optional<int> gpus_in(const std::string& name) {
  static const re2::RE2 grid(
      R"((?i)(?:^|[-_. ])(?:(\d{1,4})n(\d{1,4})g|n(\d{1,4})c(\d{1,4}))(?:$|[-_. ]))");
  static const re2::RE2 nodes(R"((?i)(?:^|[-_. ])(?:nodes?[-_]?\d|\d+[-_]?nodes?))");
  static const re2::RE2 alone(
      R"((?i)(?:^|[-_. ])(?:gpus?[-_]?(\d{1,6})|(\d{1,6})[-_]?(?:gpus?|cards?))(?:$|[-_. ]))");
  std::string first, second, third, fourth;
  const auto number = [](const std::string& digits) { return std::atoi(digits.c_str()); };
  int gpus = 0;
  if (re2::RE2::PartialMatch(name, grid, &first, &second, &third, &fourth)) {
    gpus = number(first) * number(second) + number(third) * number(fourth);
  } else if (!re2::RE2::PartialMatch(name, nodes) &&
             re2::RE2::PartialMatch(name, alone, &first, &second)) {
    gpus = number(first) + number(second);  // one of them is empty
  }
  return gpus > 0 ? std::optional(gpus) : std::nullopt;
}

std::string without_size(const std::string& text) {
  std::string result = text;
  re2::RE2::GlobalReplace(&result, size_mark(), R"(\1)");
  return result;
}

std::vector<std::string> words_of_name(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char letter : lower(name)) {
    const bool part = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (part) words.back() += letter;
    if (!part && !words.back().empty()) words.emplace_back();
  }
  return words;
}

const re2::RE2& precision_words() {
  static const re2::RE2 words("fp64|fp32|tf32|fp16|bf16|fp8|amp|mixed|float32|float16|bfloat16");
  return words;
}

const re2::RE2& machine_words() {
  static const re2::RE2 words(
      R"((?:\d+x)?(?:k80|p4|p40|p100|t4|v100s?|a(?:10|16|30|40|100|800)|h(?:20|100|200|800)|g?[bh]200|b100|l4|l40s?|(?:rtx|gtx)\d{3,4}(?:ti)?|titan\w*|mi\d{2,3}x?|tpu\w*|npu|mlu\d+|dcu|cpu)(?:x\d+)?)");
  return words;
}

/// The first word of the file's name, else of a folder near it, that is one of `known`.
std::string word_in(const fs::path& path, const re2::RE2& known) {
  fs::path place = path;
  for (int depth = 0; depth <= folders_looked_at; ++depth) {
    for (const std::string& word : words_of_name(place.filename().string()))
      if (matches_whole(word, known)) return word;
    place = place.parent_path();
  }
  return "";
}

}  // namespace

std::string log_stem(const fs::path& path) {
  std::string name = path.filename().string();
  for (const char* packed : {".gz", ".zst", ".xz"})
    if (name.ends_with(packed)) name.resize(name.size() - std::string_view(packed).size());
  for (const char* end : {".log", ".txt", ".out", ".err", ".jsonl", ".json"}) {
    if (!name.ends_with(end) || name.size() == std::string_view(end).size()) continue;
    name.resize(name.size() - std::string_view(end).size());
    break;
  }
  return name;
}

std::string shortest_name(const std::string& path, const std::set<std::string>& all) {
  std::size_t begin = path.size();
  while (begin > 0) {
    const std::size_t slash = begin < 2 ? std::string::npos : path.rfind('/', begin - 2);
    begin = slash == std::string::npos ? 0 : slash + 1;
    std::string tail = path.substr(begin);
    const bool shared = std::any_of(all.begin(), all.end(), [&](const std::string& other) {
      return other != path && (other == tail || other.ends_with("/" + tail));
    });
    if (!shared) return tail;
  }
  return path;
}

LogName read_log_name(const fs::path& path) {
  LogName result;
  std::string stem = log_stem(path);
  result.is_run = take_run_mark(stem);
  fs::path folder = path.parent_path();
  if (!result.is_run && is_run_folder(folder.filename().string())) {
    result.is_run = true;
    folder = folder.parent_path();
  }
  result.series = (folder / stem).string();
  const std::string sizeless = without_size(stem);
  const std::string above = without_size(folder.filename().string());
  const bool tells_size = sizeless != stem || above != folder.filename().string();
  result.family = tells_size ? (folder.parent_path() / above / sizeless).string() : folder.string();
  result.gpus = gpus_in(stem);
  if (!result.gpus) result.gpus = gpus_in(folder.filename().string());
  result.precision = word_in(path, precision_words());
  result.machine = word_in(path, machine_words());
  return result;
}

}  // namespace trainmark
