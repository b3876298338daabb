#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace trainmark {

/// An option that names a file or folder. An empty name is refused: it is a variable of the shell
/// that was never set.
CLI::Option* add_path_option(CLI::App& app, const std::string& name, std::string& path,
                             const std::string& help);

/// Throws UserError where `file` must not be written: it is one of the inputs (by whatever name),
/// belongs to a folder of results among them, or is a journal. `option` is named in the message.
void check_output_file(const std::string& option, const std::filesystem::path& file,
                       const std::vector<std::string>& inputs);

/// Throws UserError where results must not be written into `folder`: it holds files of others. A
/// folder that is new, empty or has a journal is fine.
void check_output_folder(const std::string& option, const std::filesystem::path& folder);

/// Makes `results/NAME-TIME`, with a number behind it where another process has just made that one.
/// Throws SystemError.
std::filesystem::path make_results_folder(const std::string& name);

/// Is `folder` one that `make_results_folder` has made for this name?
bool is_results_folder(const std::filesystem::path& folder, const std::string& name);

}  // namespace trainmark
