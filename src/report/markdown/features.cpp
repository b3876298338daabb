// What each framework was seen to do, and what has to be installed for it.

#include <map>
#include <ostream>
#include <set>

#include "base/json_fields.h"
#include "base/text.h"
#include "report/content/differences.h"
#include "report/content/figures.h"
#include "report/content/sameness.h"
#include "report/markdown/sections.h"
#include "report/writing/markdown_text.h"
#include "report/writing/table.h"

namespace trainmark {

namespace {

constexpr const char* clock_framework = "clock";  // a part of Trainmark: nothing to install

/// What was seen of one feature: a run that went well outweighs all that failed.
enum class Seen { untried, failed, works };

class FeatureTable {
 public:
  void saw(const std::string& feature, const std::string& framework, bool works) {
    frameworks_.insert(framework);
    if (order_.try_emplace(feature, order_.size()).second) features_.push_back(feature);
    Seen& seen = seen_[{feature, framework}];
    if (seen != Seen::works) seen = works ? Seen::works : Seen::failed;
  }

  Table table(Language language) const {
    Table table;
    table.columns.push_back({std::string(say(Word::feature, language)), Align::left});
    for (const std::string& framework : frameworks_)
      table.columns.push_back({framework, Align::centre});
    for (const std::string& feature : features_) {
      std::vector<TableCell> row = {feature};
      for (const std::string& framework : frameworks_) {
        const auto found = seen_.find({feature, framework});
        const Seen seen = found == seen_.end() ? Seen::untried : found->second;
        row.emplace_back(
            seen == Seen::untried
                ? "-"
                : std::string(say(seen == Seen::works ? Word::yes : Word::no, language)));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  bool empty() const { return features_.empty(); }

 private:
  std::vector<std::string> features_;
  std::map<std::string, std::size_t> order_;
  std::set<std::string> frameworks_;
  std::map<std::pair<std::string, std::string>, Seen> seen_;
};

void see_cell(FeatureTable& features, const Cell& cell, bool works, Language language) {
  const auto saw = [&](const std::string& feature) {
    features.saw(feature, cell.framework, works);
  };
  saw(cell.device + " " + cell.precision);
  if (cell.scale.per_node > 1) saw(std::string(say(Word::feature_devices, language)));
  if (cell.scale.nodes > 1) saw(std::string(say(Word::feature_nodes, language)));
  if (cell.accumulate > 1) saw(std::string(say(Word::feature_accumulate, language)));
}

/// What trainers told of themselves: the layout of their data, and who carries their gradients.
void see_trainer(FeatureTable& features, const Result& result, Language language) {
  for (const RunRecord* run : result.runs) {
    const auto saw = [&](Word feature, const std::string& value) {
      if (!value.empty())
        features.saw(say(feature, language, value), result.cell.framework, /*works=*/true);
    };
    saw(Word::feature_backend, json_string(run->trainer, "backend"));
    if (const nlohmann::json* math = json_field(run->trainer, "math"))
      saw(Word::feature_layout, json_string(*math, "memory_format"));
  }
}

/// "torch 2.11.0, python 3.11.2", as the trainer has told it.
std::string versions_text(const RunRecord& run) {
  std::vector<std::string> texts;
  if (run.trainer.is_object() && run.trainer.contains("versions") &&
      run.trainer["versions"].is_object()) {
    for (const auto& [name, version] : run.trainer["versions"].items())
      if (version.is_string()) texts.push_back(name + " " + version.get<std::string>());
  }
  return join(texts, ", ");
}

}  // namespace

void write_features(const ReportInput& input, std::ostream& out) {
  out << "## " << say(Word::features_heading, input.language) << "\n\n";
  FeatureTable features;
  for (const Result& result : input.results)
    see_cell(features, result.cell, !result.runs.empty(), input.language);
  for (const Result& result : input.results) see_trainer(features, result, input.language);
  const std::vector<Proof> proofs = newest(input.contents.proofs);
  for (const Result& result : input.results) {
    const Sameness::State state = sameness_of(proofs, result).state;
    if (state == Sameness::State::same || state == Sameness::State::differs)
      features.saw(std::string(say(Word::feature_proof, input.language)), result.cell.framework,
                   state == Sameness::State::same);
  }
  if (features.empty()) {
    out << say(Word::no_results, input.language) << "\n\n";
    return;
  }
  out << say(Word::features_note, input.language) << '\n';
  write_markdown(features.table(input.language), out);
}

void write_setting_up(const ReportInput& input, std::ostream& out) {
  out << "## " << say(Word::setting_up_heading, input.language) << "\n\n";
  std::set<std::string> benches;
  for (const SuiteRecord& suite : input.contents.suites)
    if (!suite.trainmark.empty()) benches.insert(suite.trainmark);
  for (const std::string& bench : benches)
    out << "- " << say(Word::setting_up_trainmark, input.language, markdown_text(bench)) << '\n';
  std::set<std::string> told;
  for (const RunRecord& run : input.contents.runs) {
    const std::string name = run.cell.framework_name();
    if (!told.insert(name).second) continue;
    const std::string versions = versions_text(run);
    const std::string words = versions.empty()
                                  ? std::string(say(Word::setting_up_unknown, input.language))
                                  : markdown_text(versions);
    const std::string shown = markdown_code(name);
    out << "- ";
    if (run.trainer.is_object() && run.trainer.contains("foreign")) {
      out << say(Word::setting_up_foreign, input.language, shown, words);
    } else if (name == clock_framework) {
      out << say(Word::setting_up_included, input.language, shown, words);
    } else {
      out << say(Word::setting_up_framework, input.language, shown, words,
                 markdown_code(shell_line({"trainmark", "setup", name})));
    }
    out << '\n';
  }
  out << '\n';
}

}  // namespace trainmark
