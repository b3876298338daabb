#pragma once

#include <string>

#include "protocol/description.h"

namespace trainmark::train {

/// The workloads as a table for people (`--list`).
std::string to_text(const Description& description);

}  // namespace trainmark::train
