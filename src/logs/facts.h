#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace trainmark {

/// Something a log says of its own run, and where it says so.
struct Fact {
  std::string value;
  std::string source;  // "line 12: batch_size : 256"
  int strength = 0;    // a plain statement outweighs a hint

  bool is_hint() const { return strength <= 1; }
};

/// By name: batch, global_batch, accumulate, gpus, per_node, nodes, precision, model, machine,
/// parameters, flops_per_token, peak_flops, and version.NAME.
using Facts = std::map<std::string, Fact, std::less<>>;

/// A fact that is a positive number of reasonable size.
std::optional<int> number_fact(const Facts& facts, std::string_view name);

/// A fact that is any positive number; NaN where there is none.
double real_fact(const Facts& facts, std::string_view name);

/// What of `more` is stronger than, or missing in, `facts`.
void add_facts(Facts& facts, const Facts& more);

/// Looks for facts in the lines that are no records. Configurations are dumped in many ways; the
/// sections of one that is printed as a tree are followed, so that the batch size of an evaluation
/// is not taken for that of the training.
class FactFinder {
 public:
  void look(std::string_view line, std::size_t number);

  /// What was found since the last call.
  Facts take();

 private:
  void follow_sections(std::string_view line);

  Facts facts_;
  std::string section_;
  std::size_t lines_left_ = 50'000;  // headers are short: a log of gigabytes need not be searched
};

}  // namespace trainmark
