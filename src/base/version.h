#pragma once

#include <filesystem>

namespace trainmark {

const char* version();  // "0.1.0"
const char* commit();  // the commit it was built from, "+changes" behind it where the tree differed

/// Where suites/ and frameworks/ lie: $TRAINMARK_HOME, else the folder of the program or one above
/// it that holds both, else the source tree it was built from. Empty where there is none.
std::filesystem::path home();

/// The folder of the running program.
std::filesystem::path program_folder();

}  // namespace trainmark
