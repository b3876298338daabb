#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/content/report.h"

namespace trainmark {

/// Half the width of the 95 % interval ÷ the value; nothing where it is not known.
std::optional<double> relative_interval(const Result& result);

/// Median over the good runs of their median step time, in seconds.
std::optional<double> step_seconds(const Result& result);

/// The most of all good runs.
std::optional<double> peak_host_bytes(const Result& result);
std::optional<double> peak_device_bytes(const Result& result);

/// "4664.2 images/s", or "-" where no run succeeded.
std::string throughput_text(const Result& result);
std::string interval_text(const Result& result, bool unicode);  // "±0.41 %"
std::string step_text(const Result& result);                    // "12.3 ms"
std::string memory_text(const Result& result);                  // device memory where there is any
std::string utilisation_text(const Result& result);             // "41.3 %"
std::string energy_text(const Result& result);                  // "0.0911 J"
std::string gpu_busy_text(const Result& result);                // "97 %"
std::string batch_text(const Cell& cell, bool unicode);      // "16", or "16×8" where accumulated
std::string ratio_text(const std::optional<double>& ratio);  // "7.31"
/// Against what it took turns with: "1.12 ±0.8 %"; "1" for the first of them.
std::string versus_text(const Result& result, bool unicode);

/// Why there is no figure: "failed: out of memory". Empty where there is one.
std::string failure_text(const Result& result, Language language);

/// Names only, with commas.
std::string verdict_names(const Result& result);

bool has_warning(const Result& result, std::string_view name);

/// The key of a cell at any scale.
std::string key_at_any_scale(const Cell& cell);

/// Of a program that is not one of our trainers: what it, or somebody, says of its speed.
bool is_foreign(const Result& result);
/// Foreign, and nothing was started for it: read from a log, or from a list of figures.
bool is_imported(const Result& result);

/// Planned cells that no run stands for, each once, with the last reason given.
std::vector<const SkipRecord*> skipped_cells(const ReportInput& input);

/// Several scales were measured: speed-ups mean something.
bool has_scales(const std::vector<Result>& results);
/// Some result has a utilisation, an energy.
bool has_utilisation(const std::vector<Result>& results);
bool has_energy(const std::vector<Result>& results);
/// Some tells how busy its GPUs were.
bool has_gpu_busy(const std::vector<Result>& results);
/// Some took turns: their ratios are known better than their figures.
bool has_turns(const std::vector<Result>& results);

}  // namespace trainmark
