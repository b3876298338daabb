#include "data/making/manifest.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/json_fields.h"
#include "base/text.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largest_manifest = std::size_t{1} << 31;
constexpr std::size_t sum_digits = 8;

/// As `sha256sum` and others write them.
std::string sum_line(const Manifest::Sum& sum) {
  return fmt::format("{:08x}  {}", sum.value, sum.name);
}

std::optional<Manifest::Sum> parse_sum(const std::string& line) {
  Manifest::Sum sum;
  const char* end = line.data() + std::min(line.size(), sum_digits);
  const auto parsed = std::from_chars(line.data(), end, sum.value, 16);
  if (parsed.ec != std::errc() || parsed.ptr != line.data() + sum_digits ||
      line.compare(sum_digits, 2, "  ") != 0)
    return std::nullopt;
  sum.name = line.substr(sum_digits + 2);
  return sum;
}

[[noreturn]] void refuse_manifest(const fs::path& file, const std::string& why) {
  throw UserError(fmt::format("{}: {}; remove the file to check the data set without checksums",
                              printable(file.string()), why));
}

nlohmann::ordered_json sum_lines(const std::vector<Manifest::Sum>& sums) {
  auto lines = nlohmann::ordered_json::array();
  for (const Manifest::Sum& sum : sums) lines.push_back(sum_line(sum));
  return lines;
}

std::vector<Manifest::Sum> read_sums(const fs::path& file, const nlohmann::json& lines) {
  if (!lines.is_array()) refuse_manifest(file, "its checksums are not a list");
  std::vector<Manifest::Sum> sums;
  for (const nlohmann::json& line : lines) {
    const auto sum = line.is_string() ? parse_sum(line.get<std::string>()) : std::nullopt;
    if (!sum) refuse_manifest(file, fmt::format("entry {} is not a checksum", sums.size() + 1));
    sums.push_back(*sum);
  }
  return sums;
}

std::optional<Attainable> read_attainable(const fs::path& file, const nlohmann::json& manifest) {
  const nlohmann::json* field = json_field(manifest, "attainable");
  if (field == nullptr) return std::nullopt;
  const std::optional<double> quality = json_number(*field, "quality");
  const std::string metric = json_string(*field, "metric");
  if (!quality || !std::isfinite(*quality) || metric.empty())
    refuse_manifest(file, "'attainable' is not a metric and a quality");
  return Attainable{metric, *quality};
}

}  // namespace

void write_manifest(const fs::path& folder, const Manifest& manifest) {
  nlohmann::ordered_json json;
  json["made_by"] = manifest.made_by;
  json["format"] = manifest.format;
  json["kind"] = manifest.kind;
  json["subject"] = manifest.subject;
  json["seed"] = manifest.seed;
  json["items"] = manifest.sums.size();
  if (!manifest.evaluation_sums.empty()) json["evaluation_items"] = manifest.evaluation_sums.size();
  json["classes"] = manifest.classes;
  json["options"] = manifest.numbers;
  if (manifest.attainable)
    json["attainable"] = {{"metric", manifest.attainable->metric},
                          {"quality", manifest.attainable->quality}};
  json["checksum"] = "crc32";
  json["checksums"] = sum_lines(manifest.sums);
  if (!manifest.evaluation_sums.empty())
    json["evaluation_checksums"] = sum_lines(manifest.evaluation_sums);
  constexpr auto no_utf8 = nlohmann::ordered_json::error_handler_t::replace;
  write_file_atomically(folder / manifest_name, json.dump(1, ' ', false, no_utf8) + "\n");
}

std::optional<Manifest> read_manifest(const fs::path& data_set) {
  const fs::path file = data_set / manifest_name;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  const auto json = nlohmann::json::parse(read_file(file, largest_manifest), nullptr, false);
  const nlohmann::json* sums = json_field(json, "checksums");
  if (json.is_discarded() || json_string(json, "checksum") != "crc32" || sums == nullptr ||
      !sums->is_array())
    refuse_manifest(file, "this is not what `trainmark data make` writes");
  Manifest manifest;
  manifest.made_by = json_string(json, "made_by");
  manifest.format = json_string(json, "format");
  manifest.kind = json_string(json, "kind");
  manifest.subject = json_string(json, "subject");
  manifest.seed = static_cast<std::uint64_t>(json_number(json, "seed").value_or(0));
  manifest.sums = read_sums(file, *sums);
  if (const nlohmann::json* others = json_field(json, "evaluation_checksums"))
    manifest.evaluation_sums = read_sums(file, *others);
  manifest.attainable = read_attainable(file, json);
  return manifest;
}

}  // namespace trainmark::data
