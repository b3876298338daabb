#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// What stands in place of a secret.
inline constexpr std::string_view redacted = "REDACTED";

/// Does a name smell of a secret? HF_TOKEN, WANDB_PASS, --api-key, db.password. Not: --max-tokens,
/// num_key_value_heads, PWD.
bool is_secret_name(std::string_view name);

/// Keeps secrets out of what is written: journals, pages and bundles are handed on.
///
/// A value is one by its name (WANDB_API_KEY=…, --password …) or by its shape (tokens of well-known
/// services, long random words, passwords in URLs). What was seen once is hidden wherever it turns
/// up later.
class Secrets {
 public:
  /// `keep`: hides nothing.
  explicit Secrets(bool keep = false) : keep_(keep) {}

  /// An argument vector, its secrets replaced.
  std::vector<std::string> hide(const std::vector<std::string>& command);
  std::map<std::string, std::string> hide(const std::map<std::string, std::string>& variables);

  /// Any text: a suite, a message, a line of a log.
  std::string hide(std::string_view text) const;

 private:
  std::string remember(std::string value);

  bool keep_;
  std::set<std::string> values_;  // long enough to be no word of something else
};

}  // namespace trainmark
