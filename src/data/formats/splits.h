#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark::data {

/// The parts of a data set: what is trained on, and what the quality of a training is measured by.
enum class Split { training, evaluation };

/// The words by which evaluation splits are called, the most usual first; tests come last.
std::span<const std::string_view> words_of_evaluation();

/// The files without those for validation and tests (a word of `words_of_evaluation` is a word of
/// their names), unless there are no others.
std::vector<std::filesystem::path> for_training(std::vector<std::filesystem::path> files);

/// Those that `for_training` leaves out; where several words are used, those of the first.
std::vector<std::filesystem::path> for_evaluation(const std::vector<std::filesystem::path>& files);

/// An existing folder for evaluation: `val` in a data set's folder, or beside it where that is
/// called `train` itself; or any other of the words. Empty where there is none.
std::filesystem::path evaluation_folder(const std::filesystem::path& folder);

/// "x_val.bin" beside "x_train.bin", likewise. Empty where there is none.
std::filesystem::path evaluation_file(const std::filesystem::path& file);

/// What the files and folders of a split are called that is written here: "train", "val".
std::string split_name(Split split);

/// Absolute and without a slash at its end: its last part has a name.
std::filesystem::path named_path(const std::filesystem::path& path);

}  // namespace trainmark::data
