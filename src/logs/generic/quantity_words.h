#pragma once

#include <string_view>

namespace trainmark {

/// Of a time: words in front that mean a part of the step or another phase (data_time, eta, val).
bool is_part_or_other_phase(std::string_view words);

/// Words or a unit that mean one of several passes which make a step together: ms/micro_step.
bool is_of_micro_step(std::string_view words);

/// Words in front of a time, or its unit, that mean that of many steps: `10 steps in 3.5s`, `3.5s
/// for 10 steps`.
bool is_of_interval(std::string_view words);

/// Words or a unit that mean one device of several: tokens_per_second_per_gpu, samples/s/GPU.
bool is_of_device(std::string_view words);

/// Words in front that mean a mean since the start: RunningAvgSamplesPerSec.
bool is_running_mean(std::string_view words);

/// Words in front that mean a sum since the start: elapsed, total, walltime.
bool is_since_start(std::string_view words);

/// Words in front that mean the time or rate of one step or batch, or a mean of these.
bool is_of_step(std::string_view words);

/// Words of progress that is no training: evaluation, downloads, preparing data.
bool is_other_work(std::string_view words);

}  // namespace trainmark
