#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "logs/grammar/dialect.h"

namespace trainmark {

/// The JSON object that begins at the cursor, which is moved behind it; nothing where there is no
/// whole object. Text of others may follow it on the line.
std::optional<nlohmann::json> take_object(Cursor& line);

/// Likewise its text, which has the braces of an object and may still be none; empty where there is
/// none.
std::string_view take_object_text(Cursor& line);

/// A number, or a number in a text, of an object; NaN where there is none.
double number_in(const nlohmann::json& object, const char* name);

/// An object in an object; an empty one where there is none.
const nlohmann::json& object_in(const nlohmann::json& object, const char* name);

/// A text in an object; empty where there is none.
std::string text_in(const nlohmann::json& object, const char* name);

}  // namespace trainmark
