#include "logs/log_name.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
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

/// `_1`, `-run3`, `.r11`, `rank0`. `gpu_8` is no run: what stands in front of the number says what
/// it counts. Nor is `resnet_50`: nobody repeats a run that often.
bool take_run_mark(std::string& name) {
  static const re2::RE2 named(R"((.*?)[-_. ]?(?:run|rank|trial|round|repeat|worker)[-_]?\d+)");
  static const re2::RE2 letter(R"((.+)[-_.]r\d+)");
  static const re2::RE2 number(R"((.+)[-_.](?:0?\d|1[0-2]))");
  static const re2::RE2 counts(
      R"((?:.*[-_. \d])?(?:gpus?|cards?|devices?|bs|batch|batchsize|size|nodes?|np|ranks|world|workers|dp|tp|pp|seq|seqlen|len|v|version|epochs?|steps?|lr|seed|layers?|top))");
  std::string rest;
  const std::string plain = lower(name);
  const bool found = re2::RE2::FullMatch(plain, named, &rest) ||
                     re2::RE2::FullMatch(plain, letter, &rest) ||
                     (re2::RE2::FullMatch(plain, number, &rest) && !matches_whole(rest, counts));
  if (found) name.resize(rest.size());
  return found;
}

/// A folder that is all mark: `run1/train.log`, `rank0/stdout.log`.
bool is_run_folder(const std::string& name) {
  static const re2::RE2 mark(R"((?:run|rank|trial|round|repeat|r)[-_]?\d+)");
  return matches_whole(lower(name), mark);
}

/// `gpu8`, `8gpus`, `4n8g`, `node4`, `N1C8`, with what stands in front of it.
const re2::RE2& size_mark() {
  static const re2::RE2 mark(
      R"((?i)(^|[-_. ])(?:gpus?[-_]?\d+|\d+[-_]?gpus?|\d+n\d+g|nodes?[-_]?\d+|\d+[-_]?nodes?|n\d+c\d+|dp\d+|\d+cards?))");
  return mark;
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
    const std::string tail = path.substr(begin);
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
  result.precision = word_in(path, precision_words());
  result.machine = word_in(path, machine_words());
  return result;
}

}  // namespace trainmark
