#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a profile says at a glance: which kinds of work the time of a step goes to, and how far each
// is from what the device could do.

namespace trainmark::train {

/// A kernel or a copy on the device; on a CPU, an operator without those that it calls.
struct ProfiledWork {
  std::string name;
  std::int64_t begin_ns = 0;
  std::int64_t duration_ns = 0;
};

/// What is known of a step beside its kernels; 0: unknown.
struct StepFacts {
  std::string title;
  int steps = 1;  // that were profiled
  double flops = 0;
  double parameters = 0;
  bool adam = false;
  double matrix_flops_per_second = 0;
  double copy_bytes_per_second = 0;
};

/// The kind of work that a kernel or operator is for, such as "convolutions".
std::string_view kind_of_work(std::string_view name);

/// An operator on a CPU, with the thread that ran it.
struct ProfiledOperator {
  ProfiledWork work;
  std::uint64_t thread = 0;
};

/// The same without the time of the operators that each one called.
std::vector<ProfiledWork> without_callees(std::vector<ProfiledOperator> operators);

/// A page in Markdown: a row per kind, and the kernels that take the most time.
std::string profile_summary(const std::vector<ProfiledWork>& work, const StepFacts& facts);

}  // namespace trainmark::train
