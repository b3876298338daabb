#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "suite/catalog.h"
#include "suite/suite.h"

namespace trainmark {

/// Finds the frameworks in `home`/frameworks and asks each program what it offers. A framework
/// whose program is not there, or does not answer, is in the catalog with the reason. `settings`
/// are a suite's own words about frameworks: another program, or a framework that is only known to
/// it.
///
/// Interpreters take seconds to start: where `wanted` is not empty, only these are asked and in the
/// catalog. A name among them that no framework has brings in all, for the message that follows.
Catalog find_frameworks(const std::filesystem::path& home,
                        const std::map<std::string, FrameworkSettings>& settings = {},
                        const std::set<std::string>& wanted = {});

/// The program as a path: as given where it holds a '/', else beside trainmark itself, else in
/// PATH. Empty where it is nowhere.
std::string find_program(const std::string& name);

/// The GPUs of this machine that programs may use (CUDA_VISIBLE_DEVICES); nothing where the driver
/// cannot be asked.
std::optional<int> usable_gpus();

}  // namespace trainmark
