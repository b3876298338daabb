#include "logs/generic/counter_words.h"

#include <algorithm>
#include <initializer_list>

#include "logs/grammar/cursor.h"
#include "logs/grammar/record.h"
#include "logs/text/find_text.h"

namespace trainmark {

namespace {

constexpr double most_ranks = 65536;

bool name_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool has_whole(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !name_letter(text[at - 1])) &&
          (end == text.size() || !name_letter(text[end])))
        return true;
    }
  }
  return false;
}

/// `0: ` and `[0]: ` at the very front, as srun and some launchers print.
int bare_rank(const LineFields& fields) {
  const LineField& first = fields.fields().front();
  const std::string_view line = fields.line();
  const bool bracket = first.begin == 1 && line[0] == '[' && line.substr(first.end, 1) == "]";
  if (first.begin != 0 && !bracket) return -1;
  if (line.substr(first.end + (bracket ? 1 : 0), 2) != ": " || !first.whole) return -1;
  const auto& all = fields.fields();
  const bool counted = std::any_of(all.begin() + 1, all.end(), [&](const LineField& field) {
    const std::string& words = fields.words_of(field);
    return field.whole && (is_step_counter(words) || is_epoch_counter(words) || field.before_slash);
  });
  return counted ? static_cast<int>(first.number) : -1;
}

/// Most lines do not, and their words need not be looked at.
bool says_rank(std::string_view line) {
  const std::string_view front = line.substr(0, 120);
  return find_text(front, "ank") != std::string_view::npos ||
         find_text(front, "ANK") != std::string_view::npos;
}

}  // namespace

bool is_step_counter(std::string_view words) {
  return has_whole(
      words,
      {"step",      "steps",    "iter",          "iters",      "iteration",   "iterations",  "it",
       "batch",     "batches",  "update",        "updates",    "num_updates", "global_step", "i",
       "itr",       "step_idx", "current_steps", "globalstep", "micro_step",  "train_step",  "ite",
       "minibatch", "n_iter",   "niter",         "up"});
}

bool is_epoch_counter(std::string_view words) {
  return has_whole(words, {"epoch", "epochs", "ep", "pass", "round", "train epoch"});
}

bool is_no_counter(std::string_view words) {
  return has_whole(words,
                   {"loss",   "lr",        "acc",     "seed",   "port",    "rank",     "gpu",
                    "gpus",   "cuda",      "node",    "world",  "worker",  "workers",  "pid",
                    "seq",    "size",      "len",     "length", "dim",     "samples",  "consumed",
                    "tokens", "skipped",   "v_num",   "mem",    "memory",  "eta",      "time",
                    "line",   "lines",     "seconds", "params", "version", "device",   "width",
                    "height", "instances", "images",  "sen",    "sents",   "sentences"}) ||
         words.find("size") != std::string_view::npos || words.find("num_") == 0 ||
         words.find("param") != std::string_view::npos;
}

double heading_epoch(const LineFields& fields) {
  const auto& all = fields.fields();
  if (all.empty() || all.size() > 2 || !all.front().whole || all.front().begin > 12)
    return not_known;
  const std::string& words = fields.words_of(all.front());
  if (words != "epoch") return not_known;
  const bool rest_is_total = all.size() == 1 || all.back().behind_slash;
  const std::string_view behind = fields.line().substr(all.back().end);
  const bool alone = behind.find_first_not_of(" :\t-=.") == std::string_view::npos;
  return rest_is_total && alone ? all.front().number : not_known;
}

int rank_of(const LineFields& fields) {
  if (fields.fields().empty()) return -1;
  if (const int rank = find_rank(fields.line().substr(0, 160)); rank >= 0) return rank;
  const bool said = says_rank(fields.line());
  for (const LineField& field : fields.fields()) {
    if (field.begin > 120 || !said) break;
    if (!field.whole || field.number >= most_ranks || field.kind != LineField::Kind::number)
      continue;
    const std::string& words = fields.words_of(field);
    if (words == "rank" || words == "local_rank" || words == "global_rank" ||
        words.ends_with(" rank") || words.ends_with("_rank"))
      return static_cast<int>(field.number);
  }
  const int rank = bare_rank(fields);
  return rank < most_ranks ? rank : -1;
}

}  // namespace trainmark
