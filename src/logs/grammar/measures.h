#pragma once

#include <string_view>

#include "logs/grammar/dialect.h"

namespace trainmark {

/// A value behind a name: `52.5`, `'52.5'`, or the mean in `52.5 (68.5)`.
bool take_measure(Cursor& line, double& value);

/// All that looks like a measure of quality in a line: `name: value`, `name=value`, `name 52.5
/// (68.5)` and `name 52.5%`, where the name is that of a loss, an accuracy, mIoU, perplexity or
/// their kin.
void find_measures(std::string_view line, const QualityKeeper& keep);

/// The same, where the front of the line says that it is of an evaluation (`Test set: …`, `[val]
/// …`). Names that do not say so themselves get `val_` in front.
void find_evaluation(std::string_view line, const QualityKeeper& keep);

}  // namespace trainmark
