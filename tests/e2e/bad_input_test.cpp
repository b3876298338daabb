// Bad input: exit code 2, a message that names the place and what to write instead, nothing on
// stdout, and nothing left behind.

#include <gtest/gtest.h>

#include <algorithm>

#include "e2e/support/program.h"

namespace trainmark::e2e {
namespace {

struct BadInput {
  const char* name;
  std::vector<std::string> arguments;  // SUITE and FOLDER stand for a suite file and a folder
  const char* suite;                   // the suite file's text
  std::vector<std::string> words;      // must stand in the message

  friend void PrintTo(const BadInput& it, std::ostream* out) { *out << it.name; }
};

const char* const good_suite = "matrix: {workload: clock, framework: clock, size: tiny}\n";

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, AreRefusedWithPlaceAndRemedy) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", GetParam().suite);
  std::vector<std::string> arguments;
  for (const auto& word : GetParam().arguments) {
    arguments.push_back(word == "SUITE"    ? (folder / "s.yaml").string()
                        : word == "FOLDER" ? folder.path().string()
                                           : word);
  }
  if (!arguments.empty() && (arguments[0] == "run" || arguments[0] == "measure")) {
    arguments.insert(arguments.begin() + 1, {"--out", (folder / "results").string()});
  }
  const Outcome outcome = trainmark(arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_EQ(outcome.output, "");
  for (const auto& word : GetParam().words) {
    EXPECT_NE(outcome.errors.find(word), std::string::npos) << word << "\n" << outcome.errors;
  }
  for (const char* raw : {"json.exception", "not in range", "rank,", "illegal map"})
    EXPECT_EQ(outcome.errors.find(raw), std::string::npos) << outcome.errors;
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadInputs,
    testing::Values(
        BadInput{"no_command", {}, good_suite, {"--help"}},
        BadInput{"unknown_command", {"rnu"}, good_suite, {"'rnu'", "'run'"}},
        BadInput{
            "unknown_option", {"run", "SUITE", "--fast"}, good_suite, {"--fast", "run --help"}},
        BadInput{"option_without_a_command",
                 {"--frobnicate"},
                 good_suite,
                 {"'--frobnicate'", "before the command", "compare, "}},
        BadInput{"misspelt_option",
                 {"run", "SUITE", "--quite"},
                 good_suite,
                 {"'--quite'", "did you mean '--quiet'?"}},
        BadInput{"too_many_arguments",
                 {"run", "SUITE", "extra"},
                 good_suite,
                 {"unexpected argument 'extra'", "trainmark run SUITE"}},
        BadInput{"missing_argument",
                 {"compare", "FOLDER"},
                 good_suite,
                 {"'new' is missing", "trainmark compare BASE NEW"}},
        BadInput{"commands_that_are_not_only_shown",
                 {"run", "SUITE", "--commands"},
                 good_suite,
                 {"--commands does nothing without --dry-run; write both"}},
        BadInput{"failed_runs_of_nothing",
                 {"run", "SUITE", "--retry-failed"},
                 good_suite,
                 {"--retry-failed does nothing without --resume; write both"}},
        BadInput{"more_cells_of_nothing",
                 {"run", "SUITE", "--more-cells"},
                 good_suite,
                 {"--more-cells does nothing without --resume; write both"}},
        BadInput{"secrets_of_no_bundle",
                 {"report", "FOLDER", "--keep-secrets"},
                 good_suite,
                 {"--keep-secrets does nothing without --bundle; write both"}},
        BadInput{"a_gate_that_is_open",
                 {"compare", "FOLDER", "FOLDER", "--allow-missing"},
                 good_suite,
                 {"--allow-missing does nothing without --fail-on-slower; write both"}},
        BadInput{"a_bundle_and_a_page",
                 {"report", "FOLDER", "--bundle", "b.tar.zst", "--out", "y.md"},
                 good_suite,
                 {"--bundle", "--out", "exclude each other; give one of them"}},
        BadInput{"a_bundle_in_a_format",
                 {"report", "FOLDER", "--bundle", "b.tar.zst", "--format", "md"},
                 good_suite,
                 {"--bundle", "--format", "exclude each other; give one of them"}},
        BadInput{"a_bundle_with_a_price",
                 {"report", "FOLDER", "--bundle", "b.tar.zst", "--price-per-hour", "2"},
                 good_suite,
                 {"--bundle", "--price-per-hour", "exclude each other; give one of them"}},
        BadInput{"option_without_a_value",
                 {"run", "SUITE", "--rounds"},
                 good_suite,
                 {"--rounds needs a value"}},
        BadInput{"option_twice",
                 {"run", "SUITE", "--rounds", "1", "--rounds", "2"},
                 good_suite,
                 {"--rounds is given twice"}},
        BadInput{"zero_where_none_can_be",
                 {"verify", "--tolerance", "0"},
                 good_suite,
                 {"--tolerance", "a number from 1e-09 to 1, not '0'"}},
        BadInput{"tolerance_that_is_no_number",
                 {"verify", "--tolerance", "nan"},
                 good_suite,
                 {"--tolerance", "not 'nan'"}},
        BadInput{"negative_seed_of_verify",
                 {"verify", "--seed", "-1"},
                 good_suite,
                 {"--seed", "a whole number from 0 on, not '-1'"}},
        BadInput{"negative_seed", {"run", "SUITE", "--seed", "-1"}, good_suite, {"--seed"}},
        BadInput{"verify_on_an_unknown_device",
                 {"verify", "--device", "tpu"},
                 good_suite,
                 {"--device", "cpu or cuda, not 'tpu'"}},
        BadInput{"gate_that_is_no_number",
                 {"compare", "FOLDER", "FOLDER", "--fail-on-slower", "nan"},
                 good_suite,
                 {"--fail-on-slower", "from 0 to 100, not 'nan'"}},
        BadInput{"sameness_that_is_no_number",
                 {"compare", "FOLDER", "FOLDER", "--same", "inf"},
                 good_suite,
                 {"--same", "not 'inf'"}},
        BadInput{"sameness_of_a_history_that_is_no_number",
                 {"history", "FOLDER", "--same", "nan"},
                 good_suite,
                 {"--same", "not 'nan'"}},
        BadInput{"rule_value_in_a_suite_that_is_no_number",
                 {"run", "SUITE"},
                 "matrix: {workload: clock}\nmeasure: {rule: fixed, steps: abc}\n",
                 {"s.yaml:2", "'steps' must be a number, such as 20 or 0.5%, not 'abc'"}},
        BadInput{"tab_in_yaml",
                 {"run", "SUITE"},
                 "matrix:\n\tworkload: clock\n",
                 {"s.yaml:2", "indented by a tab"}},
        BadInput{"list_never_closed",
                 {"run", "SUITE"},
                 "matrix: [",
                 {"s.yaml:1", "'[' is never closed"}},
        BadInput{"variable_with_a_sign_in_its_name",
                 {"run", "SUITE"},
                 "matrix: {workload: clock}\nframeworks:\n  clock: {environment: {A=B: 1}}\n",
                 {"s.yaml:3", "'A=B'", "NAME: VALUE"}},
        BadInput{"variable_without_a_name",
                 {"run", "SUITE"},
                 "matrix: {workload: clock}\nframeworks:\n  clock: {environment: {'': 1}}\n",
                 {"s.yaml:3", "is not a variable name"}},
        BadInput{"program_that_is_a_folder",
                 {"run", "SUITE"},
                 "matrix: {workload: clock, framework: a}\nframeworks: {a: {program: [/tmp]}}\n",
                 {"/tmp is a folder"}},
        BadInput{"program_that_prints_no_description",
                 {"run", "SUITE"},
                 "matrix: {workload: clock, framework: a}\n"
                 "frameworks: {a: {program: [/bin/echo]}}\n",
                 {"not valid JSON: line 1", "docs/protocol.md"}},
        BadInput{"unknown_framework_to_install",
                 {"setup", "pytroch"},
                 good_suite,
                 {"'pytroch'", "did you mean 'pytorch'?"}},
        BadInput{"nothing_to_install", {"setup"}, good_suite, {"framework", "setup --help"}},
        BadInput{"unknown_suite", {"run", "quikc"}, good_suite, {"'quikc'", "'quick'"}},
        BadInput{"missing_suite_file", {"run", "/nowhere/a.yaml"}, good_suite, {"/nowhere/a.yaml"}},
        BadInput{"suite_is_a_folder", {"run", "/tmp/"}, good_suite, {"/tmp/"}},
        BadInput{"suite_is_a_device", {"run", "/dev/zero"}, good_suite, {"/dev/zero"}},
        BadInput{"broken_yaml", {"run", "SUITE"}, "matrix: [", {"s.yaml:", "not valid YAML"}},
        BadInput{"unknown_key", {"run", "SUITE"}, "matrx: {}\n", {"s.yaml:1", "'matrix'"}},
        BadInput{"unknown_workload",
                 {"run", "SUITE"},
                 "matrix: {workload: clokc}\n",
                 {"s.yaml:1", "'clock'"}},
        BadInput{"unknown_framework",
                 {"run", "SUITE"},
                 "matrix:\n  framework: cloc\n",
                 {"s.yaml:2", "'clock'"}},
        BadInput{"unknown_mode",
                 {"run", "SUITE"},
                 "matrix: {framework: 'clock:spni'}\n",
                 {"'clock:spin'"}},
        BadInput{"unknown_precision",
                 {"run", "SUITE", "--precision", "fp31"},
                 good_suite,
                 {"--precision", "'fp32'"}},
        BadInput{
            "unknown_size", {"run", "SUITE", "--size", "smal"}, good_suite, {"--size", "'small'"}},
        BadInput{"unknown_device",
                 {"run", "SUITE", "--device", "gpu"},
                 good_suite,
                 {"--device", "cuda"}},
        BadInput{"bad_scale", {"run", "SUITE", "--scale", "8"}, good_suite, {"--scale", "1n8g"}},
        BadInput{"too_many_nodes",
                 {"run", "SUITE", "--scale", "2n1g"},
                 good_suite,
                 {"2 machines", "1n2g", "mpirun"}},
        BadInput{
            "bad_batch", {"run", "SUITE", "--batch", "x"}, good_suite, {"--batch", "whole number"}},
        BadInput{"batch_twice",
                 {"run", "SUITE"},
                 "matrix: {batch: [1, 1]}\n",
                 {"s.yaml:1", "duplicate cell"}},
        BadInput{"unknown_rule",
                 {"run", "SUITE", "--rule", "adptive"},
                 good_suite,
                 {"--rule", "'adaptive'"}},
        BadInput{"unknown_rule_value",
                 {"run", "SUITE", "--set", "intervl=1%"},
                 good_suite,
                 {"--set", "'interval'"}},
        BadInput{"rule_value_without_number",
                 {"run", "SUITE", "--set", "interval"},
                 good_suite,
                 {"NAME=NUMBER"}},
        BadInput{"rule_value_out_of_range",
                 {"run", "SUITE", "--set", "interval=-1"},
                 good_suite,
                 {"--set", "interval"}},
        BadInput{"rule_that_drops_every_step",
                 {"run", "SUITE"},
                 "matrix: {workload: clock, framework: clock, size: tiny}\n"
                 "measure:\n  rule: fixed\n  steps: 20\n  skip: 20\n",
                 {"s.yaml:5", "skip = 20", "steps = 20"}},
        BadInput{"fewer_steps_than_are_dropped",
                 {"run", "SUITE", "--rule", "fixed", "--set", "steps=50"},
                 good_suite,
                 {"--set", "skip = 50", "smaller skip"}},
        BadInput{"unknown_launcher",
                 {"run", "SUITE", "--launcher", "locla"},
                 good_suite,
                 {"--launcher", "'local'"}},
        BadInput{
            "bad_time", {"run", "SUITE", "--time-limit", "soon"}, good_suite, {"90s, 10m or 2h"}},
        BadInput{"bad_rounds", {"run", "SUITE", "--rounds", "0"}, good_suite, {"--rounds"}},
        BadInput{"only_nothing",
                 {"run", "SUITE", "--only", "vgg"},
                 good_suite,
                 {"--only vgg", "clock:tiny/clock:spin"}},
        BadInput{"everything_excluded",
                 {"run", "SUITE"},
                 "matrix: {workload: clock, size: tiny}\nexclude: [{workload: clock}]\n",
                 {"empty"}},
        BadInput{"unknown_framework_setting",
                 {"run", "SUITE"},
                 "matrix: {workload: clock}\nframeworks:\n  torhc: {arguments: [a]}\n",
                 {"s.yaml:3", "torhc", "program"}},
        BadInput{"command_without_words",
                 {"run", "SUITE"},
                 "matrix: {framework: a}\nframeworks:\n  a: {command: []}\n",
                 {"s.yaml:3", "the command is empty"}},
        BadInput{"command_not_found",
                 {"run", "SUITE"},
                 "matrix: {framework: a}\nframeworks:\n  a: {command: [no-such-program]}\n",
                 {"no-such-program", "not found in PATH"}},
        BadInput{"command_of_an_unknown_dialect",
                 {"run", "SUITE"},
                 "matrix: {framework: a}\nframeworks:\n  a:\n    command: [sh]\n"
                 "    dialect: padleclas\n",
                 {"s.yaml:5", "'paddleclas'"}},
        BadInput{"command_with_a_broken_pattern",
                 {"run", "SUITE"},
                 "matrix: {framework: a}\nframeworks:\n  a:\n    command: [sh]\n"
                 "    pattern: '(?P<rate>'\n",
                 {"s.yaml:5", "pattern"}},
        BadInput{"command_with_an_unknown_word_in_braces",
                 {"run", "SUITE"},
                 "matrix: {framework: a}\nframeworks:\n  a: {command: [sh, '{bach}']}\n",
                 {"s.yaml:3", "'batch'"}},
        BadInput{"command_that_does_not_follow_the_matrix",
                 {"run", "SUITE"},
                 "matrix: {framework: a, batch: [1, 2]}\nframeworks:\n  a: {command: [sh]}\n",
                 {"s.yaml:1", "{batch}"}},
        BadInput{"command_on_several_nodes",
                 {"run", "SUITE"},
                 "matrix: {framework: a, scale: 4n8g}\nframeworks:\n  a: {command: [sh]}\n",
                 {"this machine only", "--dry-run"}},
        BadInput{"dialect_without_a_command",
                 {"run", "SUITE"},
                 "matrix: {framework: clock}\nframeworks:\n  clock: {dialect: mmcv}\n",
                 {"s.yaml:3", "command"}},
        BadInput{
            "container_without_image",
            {"run", "SUITE"},
            "matrix: {framework: clock}\nframeworks:\n  clock: {container: {mounts: [/a:/a]}}\n",
            {"s.yaml:3", "no image"}},
        BadInput{"container_engine_unknown",
                 {"run", "SUITE"},
                 "matrix: {framework: clock}\nframeworks:\n"
                 "  clock: {container: {image: a, engine: apptaner}}\n",
                 {"s.yaml:3", "'apptainer'"}},
        BadInput{
            "python_that_is_not_there",
            {"run", "SUITE"},
            "matrix: {framework: pytorch}\nframeworks:\n  pytorch: {python: /nowhere/python}\n",
            {"s.yaml:3", "/nowhere/python"}},
        BadInput{"python_of_a_program_that_is_none",
                 {"run", "SUITE"},
                 "matrix: {framework: clock}\nframeworks:\n  clock: {python: /bin/sh}\n",
                 {"s.yaml:3", "written in Python"}},
        BadInput{"measure_nothing", {"measure"}, good_suite, {"no command", "--"}},
        BadInput{"measure_what_is_not_there",
                 {"measure", "--", "no-such-program"},
                 good_suite,
                 {"there is no program 'no-such-program' in PATH", "check its name"}},
        BadInput{"measure_in_an_unknown_dialect",
                 {"measure", "--dialect", "mmvc", "--", "sh"},
                 good_suite,
                 {"--dialect", "'mmcv'"}},
        BadInput{"measure_with_a_pattern_without_rate",
                 {"measure", "--pattern", "(?P<step>x)", "--", "sh"},
                 good_suite,
                 {"--pattern", "rate"}},
        BadInput{"measure_with_a_wrong_batch",
                 {"measure", "--batch", "0", "--", "sh"},
                 good_suite,
                 {"--batch"}},
        BadInput{"measure_with_an_engine_and_no_image",
                 {"measure", "--engine", "docker", "--", "sh"},
                 good_suite,
                 {"--container"}},
        BadInput{
            "report_of_nothing", {"report", "/nowhere"}, good_suite, {"/nowhere", "trainmark run"}},
        BadInput{"report_of_a_folder_without_journal",
                 {"report", "FOLDER"},
                 good_suite,
                 {"holds no journal"}},
        BadInput{"report_without_results", {"report"}, good_suite, {"'results' is missing"}},
        BadInput{"report_in_an_unknown_language",
                 {"report", "FOLDER", "--lang", "fr"},
                 good_suite,
                 {"en or zh"}},
        BadInput{
            "compare_with_nothing", {"compare", "FOLDER", "/nowhere"}, good_suite, {"journal"}},
        BadInput{"compare_one", {"compare", "FOLDER"}, good_suite, {"new"}},
        BadInput{"compare_unknown_format",
                 {"compare", "FOLDER", "FOLDER", "--format", "xls"},
                 good_suite,
                 {"xls", "json"}},
        BadInput{"unknown_list", {"list", "workload"}, good_suite, {"'workloads'"}},
        BadInput{
            "env_in_an_unknown_format", {"env", "--format", "yaml"}, good_suite, {"text or json"}}),
    [](const auto& input) { return std::string(input.param.name); });

TEST(Input, AnEmptyNameOfAFileIsRefused) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", good_suite);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"run", folder / "s.yaml", "--out", "", "--dry-run"},
                                             {"measure", "--out", "", "--dry-run", "--", "sh"},
                                             {"report", folder.path(), "--out", ""},
                                             {"report", folder.path(), "--bundle", ""},
                                             {"compare", folder.path(), folder.path(), "--out", ""},
                                             {"history", folder.path(), "--out", ""},
                                             {"extract", folder / "s.yaml", "--save", ""},
                                             {"extract", folder / "s.yaml", "--into", ""},
                                             {"verify", "--out", ""}}) {
    const Outcome outcome = trainmark(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[0];
    EXPECT_NE(outcome.errors.find("the name is empty"), std::string::npos) << outcome.errors;
  }
}

TEST(Input, AMillionCellsAreRefusedWithTheirNumberInLittleMemory) {
  const TemporaryFolder folder;
  std::string numbers = "1";
  for (int i = 2; i <= 1000; ++i) numbers += "," + std::to_string(i);
  write_text(folder / "s.yaml", "matrix:\n  workload: clock\n  framework: clock\n  batch: [" +
                                    numbers + "]\n  accumulate: [" + numbers + "]\n");
  const Outcome outcome = trainmark({"run", (folder / "s.yaml").string(), "--dry-run"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("1000000 cells"), std::string::npos) << outcome.errors;
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(outcome.peak_kib, 200 * 1024);
#endif
}

TEST(Input, HelpIsCompleteForEveryCommand) {
  const Outcome all = trainmark({"--help"});
  EXPECT_EQ(all.code, 0);
  for (const char* command : {"run", "measure", "list", "report", "compare", "extract", "env"}) {
    EXPECT_NE(all.output.find(command), std::string::npos);
    const Outcome help = trainmark({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.output.find("--help"), std::string::npos) << command;
  }
  EXPECT_EQ(trainmark({"--version"}).code, 0);
}

TEST(DryRun, ShowsTheExactCommandAndMeasuresNothing) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", clock_suite("rule: fixed, steps: 30, skip: 3", {"--step-ms", "1"}));
  const Outcome outcome = trainmark({"run", (folder / "s.yaml").string(), "--dry-run", "--commands",
                                     "--out", (folder / "results").string()});
  EXPECT_EQ(outcome.code, 0);
  for (const char* words : {"clock:tiny/clock:spin/fp32/b1/cpu/1n1g", "--step-ms 1", "--steps 30",
                            "OMP_NUM_THREADS=", "cores"}) {
    EXPECT_NE(outcome.output.find(words), std::string::npos) << outcome.output;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
}

TEST(DryRun, ShowsATableWithAnEstimateUnlessAskedForCommands) {
  const TemporaryFolder folder;
  write_text(folder / "s.yaml", clock_suite("rule: adaptive, max_seconds: 7", {"--step-ms", "1"}));
  const Outcome outcome = trainmark({"run", (folder / "s.yaml").string(), "--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  for (const char* words :
       {"about ", "cell ", "at most\n", "clock:tiny/clock:spin/fp32/b1/cpu/1n1g", "--commands"})
    EXPECT_NE(outcome.output.find(words), std::string::npos) << words << '\n' << outcome.output;
  EXPECT_EQ(outcome.output.find("--step-ms"), std::string::npos) << outcome.output;
}

TEST(List, WithoutANameIsAnIndex) {
  const Outcome outcome = trainmark({"list"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  for (const char* words : {"rules: adaptive, ", "formats: csv, ", "suites: ", "workloads: "})
    EXPECT_NE(outcome.output.find(words), std::string::npos) << words << '\n' << outcome.output;
  const std::string all = outcome.output;
  EXPECT_LT(std::count(all.begin(), all.end(), '\n'), 12) << all;
}

}  // namespace
}  // namespace trainmark::e2e
