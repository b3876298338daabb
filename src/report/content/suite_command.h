#pragma once

#include <string>
#include <vector>

#include "journal/record.h"

namespace trainmark {

/// The file that a suite is to be saved as: "quick.yaml".
std::string suite_file(const SuiteRecord& suite);

/// What repeats a session, once its suite was saved as `suite_file`.
std::vector<std::string> suite_command(const SuiteRecord& suite);

/// Each suite once, in the order of the journal: a measurement that was resumed says it again.
std::vector<const SuiteRecord*> different_suites(const std::vector<SuiteRecord>& suites);

/// What a report is about, in words: the suite's title, else its name, else the journal's folder.
std::string subject_of(const std::vector<SuiteRecord>& suites, const std::string& folder);

}  // namespace trainmark
