#pragma once

#include <string_view>

#include "logs/grammar/cursor.h"

namespace trainmark {

/// A time as programs print it: `26`, `0:26`, `1:02:03`, `9 days, 22:13:15`, `12m 14s`, `1h 2m 3s`.
/// The cursor is moved behind it. False where none comes next.
bool take_duration(Cursor& line, double& seconds);

/// A number of milliseconds with its unit right behind it or after one space (`17.9 ms`, `512ms`).
/// False where there is none: another unit, or a word that only begins so (`12 msgs`, `ms/step`).
bool take_milliseconds(Cursor& line, double& seconds);

/// A number of bytes with its unit: `10.6GB`, `22.44GiB`, `4911MB`, `13.5G`, `1475M`; without a
/// unit, times `unit`.
bool take_bytes(Cursor& line, double& bytes, double unit = 1);

}  // namespace trainmark
