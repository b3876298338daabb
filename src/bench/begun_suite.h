#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "bench/resume_index.h"
#include "bench/session.h"

namespace trainmark {

/// Throws UserError where a session must not add to what is in its folder: runs that were measured
/// in another way, or nobody knows how. `folders`: those of `run_folders`.
void check_can_go_on(const JournalContents& before, const std::set<std::string>& folders,
                     const Suite& suite, const SessionOptions& options);

/// The keys of the cells that were planned when the suite was begun; nothing where that is not
/// known, or no run was done yet.
std::optional<std::set<std::string>> begun_cells(const JournalContents& before,
                                                 const ResumeIndex& index);

/// The names of the folders below `runs/`, whether the journal knows them or not.
std::set<std::string> run_folders(const std::filesystem::path& folder);

}  // namespace trainmark
