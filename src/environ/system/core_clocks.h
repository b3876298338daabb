#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "environ/system/system_files.h"

namespace trainmark {

/// The clock a CPU runs at now, by its frequency driver.
std::optional<double> current_mhz(const SystemFiles& files, int cpu);

/// The highest clock its driver knows; most CPUs reach it on a few cores only.
std::optional<double> max_mhz(const SystemFiles& files, int cpu);

/// The clock a CPU should hold with all cores busy: its base frequency, where neither driver nor
/// firmware says it that in the model's name.
std::optional<double> base_mhz(const SystemFiles& files, int cpu, std::string_view model);

/// "performance", "powersave", …; "" without frequency scaling.
std::string governor(const SystemFiles& files, int cpu);

/// How often heat made this CPU slow down since boot, alone or with its whole package.
std::optional<long long> thermal_throttle_count(const SystemFiles& files, int cpu);

}  // namespace trainmark
