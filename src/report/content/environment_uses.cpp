#include "report/content/environment_uses.h"

namespace trainmark {

std::map<std::string, EnvironmentUse> environment_uses(const JournalContents& contents) {
  std::map<std::string, EnvironmentUse> uses;
  for (const RunRecord& run : contents.runs) {
    std::set<std::string> ids = {run.environment};
    for (const NodeRecord& node : run.nodes) {
      if (node.environment.empty()) continue;
      ids.insert(node.environment);
      uses[node.environment].hosts.insert(node.host);
    }
    for (const std::string& id : ids) ++uses[id].runs;
  }
  return uses;
}

}  // namespace trainmark
