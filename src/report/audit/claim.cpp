#include "report/audit/claim.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace trainmark {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_table = 16 << 20;
constexpr std::size_t most_claims = 100'000;

/// A path of the table as it is on the disk, links followed.
fs::path below(const fs::path& folder, const fs::path& base, const Claim& claim,
               const fs::path& table) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(base / claim.log, error);
  const bool inside =
      !error &&
      std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
  if (inside && claim.log.find('\0') == std::string::npos) return real;
  throw UserError(fmt::format(
      "{}:{}: the log '{}' does not lie below {}; name the folder that holds all logs of the table",
      table.string(), claim.line, printable(claim.log), folder.string()));
}

}  // namespace

Claims read_claims(const fs::path& table, const fs::path& folder) {
  std::error_code error;
  const fs::path real_folder = fs::canonical(folder, error);
  if (error || !fs::is_directory(real_folder, error))
    throw UserError(
        fmt::format("{} is not a folder; name the one that holds the logs", folder.string()));
  const std::string text = read_file(table, largest_table);
  const bool markdown = table.extension() == ".md" || table.extension() == ".markdown";
  Claims claims = markdown ? markdown_claims(text) : csv_claims(text, table);
  if (claims.all.empty())
    throw UserError(fmt::format(
        "{} publishes no figure with a log{}", table.string(),
        markdown ? "; its tables need cells such as [1234.5](logs/run.log), or a column of links"
                 : ""));
  if (claims.all.size() > most_claims)
    throw UserError(fmt::format("{} holds more than {} figures", table.string(), most_claims));
  // Links of a page start where the page lies; paths of a table, at the folder of logs.
  const fs::path base = markdown ? fs::absolute(table).parent_path() : real_folder;
  for (Claim& claim : claims.all) claim.path = below(real_folder, base, claim, table);
  return claims;
}

}  // namespace trainmark
