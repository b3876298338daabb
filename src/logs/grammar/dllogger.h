#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logs/grammar/dialect.h"

namespace trainmark {

/// Reads the head of a line of NVIDIA's DLLogger: `DLL DATE - WHERE`, where WHERE is
/// `Epoch: 0 Iteration: 10`, `(0, 10)`, `Epoch: 2`, `Summary:`, `()` or nothing. The kind of the
/// record follows from it; the cursor stands at the fields. False for parameters and other lines.
bool read_dllogger_head(Cursor& line, Record& record);

/// A value behind a field's name and ` : `; the name must be whole.
bool dllogger_field(const Cursor& line, std::string_view name, double& value);

/// A dialect of DLLogger's text whose rate is in `field`, with the loss in `loss`.
Dialect dllogger_dialect(std::string summary, std::string sample, std::string field,
                         const std::string& loss, std::string unit);

}  // namespace trainmark
