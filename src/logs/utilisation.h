#pragma once

#include "logs/facts.h"
#include "logs/figure.h"

namespace trainmark {

/// FLOP/s that a device can do at most in BF16 or FP16 with dense matrices, as its maker says; NaN
/// for devices that are not known. `machine` as logs name it: "A100", "GeForce RTX 3090".
double peak_of_device(std::string_view machine);

/// The MFU that a log prints, computed again from tokens per second, parameters, GPUs and the
/// device's peak, where the log or the user says all of them. A verdict where the two part.
void check_utilisation(LogFigure& figure, const Facts& facts, const Dialect& dialect);

}  // namespace trainmark
