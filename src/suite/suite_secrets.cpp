#include "suite/suite_secrets.h"

namespace trainmark {

std::string text_without_secrets(const Suite& suite, Secrets& secrets) {
  // Words are hidden one after the other, and looked for in the text afterwards: how a file quotes
  // and breaks them does not matter then.
  secrets.hide(suite.launcher_arguments);
  secrets.hide(suite.job_arguments);
  for (const auto& [name, own] : suite.frameworks) {
    secrets.hide(own.program);
    secrets.hide(own.arguments);
    secrets.hide(own.environment);
    if (own.container) secrets.hide(own.container->arguments);
    if (!own.foreign) continue;
    secrets.hide(own.foreign->command);
    for (const CommandCase& entry : own.foreign->cases) {
      secrets.hide(entry.command);
      secrets.hide(entry.arguments);
    }
  }
  return secrets.hide(std::string_view(suite.text));
}

}  // namespace trainmark
