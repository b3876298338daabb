#pragma once

#include <string>
#include <vector>

namespace trainmark {

/// The number that a version function of a shared library gives, 0 where there is no such library.
/// Asked in a process of its own: a damaged library must not take the bench down.
long library_version(const std::vector<std::string>& names, const std::string& function,
                     bool by_pointer);

/// 12040 as "12.4" (CUDA), 90100 or 8902 as "9.1.0" or "8.9.2" (cuDNN), 22005 or 2804 as "2.20.5"
/// or "2.8.4" (NCCL); "" for a number that is no version.
std::string cuda_version_text(long version);
std::string cudnn_version_text(long version);
std::string nccl_version_text(long version);

}  // namespace trainmark
