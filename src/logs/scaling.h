#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "logs/figure.h"

namespace trainmark {

/// What DLPerf's convention says in the name of a log: CASE/MODEL_bBATCH_PRECISION_RUN.log, such as
/// 1n8g/r50_b128_fp32_1.log.
struct DlperfName {
  Scale scale;
  std::string model;
  int batch = 0;
  std::string precision;
  int run = 0;
};

std::optional<DlperfName> dlperf_name(const std::filesystem::path& path);

/// The logs of one job size, and what they add up to. Different files are runs of one case only
/// where their names say so.
struct ScalingCase {
  std::string series;  // the path of its logs without the mark of the run
  std::string family;  // and without what names the size: what speed-ups are taken within
  std::string machine;
  std::string model;
  int batch = 0;  // 0 where it is not known
  std::string precision;
  std::string unit;
  Scale scale;
  std::vector<double> speeds;  // of the single logs, rounded to 2 digits as DLPerf does
  double average = 0;
  double median = 0;
  std::optional<double> speedup;  // median ÷ median of the smallest job of its family
};

/// Average and median of the speeds, rounded to 2 digits.
void add_up(ScalingCase& scaling);

/// Median ÷ median of the smallest job of the same family, machine, model, batch, precision and
/// unit, rounded. None where several logs may be that smallest job.
void add_speedups(std::vector<ScalingCase>& cases);

/// Groups the figures by what their names or they themselves say, smallest jobs first.
std::vector<ScalingCase> scaling_cases(const std::vector<LogFigure>& figures);

/// The shape of DLPerf's scripts: {"r50": {"1n1g": {"average_speed": …, "batch_size_per_device": …,
/// …}}}.
nlohmann::json scaling_json(const std::vector<ScalingCase>& cases);

}  // namespace trainmark
