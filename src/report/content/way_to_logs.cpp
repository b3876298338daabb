#include "report/content/way_to_logs.h"

#include <filesystem>

namespace trainmark {

std::string way_to_logs(const ReportInput& input) {
  if (input.options.page_folder.empty()) return "";
  std::error_code error;
  const std::filesystem::path way =
      std::filesystem::proximate(input.contents.folder, input.options.page_folder, error);
  return error || way == "." ? "" : way.string();
}

}  // namespace trainmark
