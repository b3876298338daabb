#pragma once

#include <filesystem>

namespace trainmark {

const char* version();  // "0.1.0"
const char* commit();  // the commit it was built from, "+changes" behind it where the tree differed

/// Where suites/ and frameworks/ lie: $TRAINMARK_HOME, else share/trainmark of the prefix that the
/// program is installed in, else the source tree that it was built in. Empty where there is none.
std::filesystem::path home();

/// Is it a source tree? An installed one is never written to, whoever runs the program.
bool is_checkout(const std::filesystem::path& home);

/// Where results go for which no option names a folder: $TRAINMARK_RESULTS, else results/ in the
/// current folder.
std::filesystem::path results_folder();

/// The folder of the running program.
std::filesystem::path program_folder();

/// Where Trainmark's own trainers lie: libexec/trainmark of the prefix, else beside the program. It
/// holds nothing but them, so that it can be mounted into a container.
std::filesystem::path trainers_folder();

}  // namespace trainmark
