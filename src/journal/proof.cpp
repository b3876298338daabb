#include "journal/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "journal/journal.h"
#include "journal/record.h"

namespace trainmark {

namespace {

constexpr double vanished = 1e-3;  // of the first loss

}  // namespace

void compare_losses(Proof& proof, const std::vector<double>& reference,
                    const std::vector<double>& losses) {
  proof.steps = static_cast<int>(losses.size());
  if (reference.empty() || reference.size() != losses.size()) {
    proof.trouble =
        fmt::format("it told {} losses, the reference {}", losses.size(), reference.size());
    return;
  }
  const auto finite = [](double loss) { return std::isfinite(loss); };
  if (!std::all_of(reference.begin(), reference.end(), finite) ||
      !std::all_of(losses.begin(), losses.end(), finite)) {
    proof.trouble = "a loss is not a number";
    return;
  }
  const double floor = vanished * std::abs(reference.front());
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double scale = std::max({std::abs(reference[i]), floor, 1e-300});
    const double difference = std::abs(losses[i] - reference[i]) / scale;
    if (i == 0) proof.first_difference = difference;
    proof.largest_difference = std::max(proof.largest_difference, difference);
  }
}

nlohmann::json to_record(const Proof& proof) {
  nlohmann::json json = {{"schema", schema_version},
                         {"type", "proof"},
                         {"cell", proof.cell},
                         {"reference", proof.reference},
                         {"versions", proof.versions},
                         {"steps", proof.steps},
                         {"first_difference", proof.first_difference},
                         {"largest_difference", proof.largest_difference},
                         {"tolerance", proof.tolerance},
                         {"checked", proof.checked}};
  if (!proof.trouble.empty()) json["trouble"] = proof.trouble;
  return json;
}

std::filesystem::path proofs_folder(const std::filesystem::path& home) {
  return home / "results" / "verify";
}

std::vector<Proof> known_proofs(const std::filesystem::path& home) {
  const std::filesystem::path folder = proofs_folder(home);
  return has_journal(folder) ? newest(read_journal(folder).proofs) : std::vector<Proof>();
}

std::vector<Proof> newest(const std::vector<Proof>& proofs) {
  std::vector<Proof> result;
  std::map<Cell, std::size_t> places;
  for (const Proof& proof : proofs) {
    const auto [place, is_new] = places.try_emplace(proof.cell, result.size());
    if (is_new) {
      result.push_back(proof);
    } else {
      result[place->second] = proof;
    }
  }
  return result;
}

}  // namespace trainmark
