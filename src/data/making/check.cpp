#include "data/making/check.h"

#include <fmt/format.h>

#include <unordered_map>

#include "data/making/examination.h"
#include "data/making/in_order.h"
#include "data/making/manifest.h"
#include "data/making/sides.h"

namespace trainmark::data {

namespace {

constexpr std::size_t most_named = 10;

/// What is found, held against what the manifest says.
class Ledger {
 public:
  explicit Ledger(const std::vector<Manifest::Sum>& sums) : sums_(sums) {
    for (const Manifest::Sum& sum : sums) expected_.emplace(sum.name, Entry{sum.value});
  }

  void enter(const Finding& finding, CheckedDataSet& result) {
    const auto found = expected_.find(finding.name);
    if (found == expected_.end()) {
      result.added.add(finding.name, "it is not in the manifest");
      return;
    }
    found->second.seen = true;
    if (finding.was_read && finding.checksum != found->second.sum)
      result.changed.add(finding.name, fmt::format("its checksum is {:08x}, and was {:08x}",
                                                   finding.checksum, found->second.sum));
  }

  void close(CheckedDataSet& result) const {
    for (const Manifest::Sum& sum : sums_)
      if (!expected_.at(sum.name).seen) result.missing.add(sum.name, "it is missing");
  }

 private:
  struct Entry {
    std::uint32_t sum = 0;
    bool seen = false;
  };
  const std::vector<Manifest::Sum>& sums_;
  std::unordered_map<std::string, Entry> expected_;
};

void tally(const Finding& finding, Split split, CheckedDataSet& result) {
  result.bytes += finding.bytes;
  if (!finding.fault.empty()) {
    result.unreadable.add(finding.name, finding.fault);
    return;
  }
  const std::string promised = promised_encoding(finding.name);
  if (!promised.empty() && !finding.encoding.empty() && promised != finding.encoding)
    result.misnamed.add(finding.name, fmt::format("it is a {}", finding.encoding));
  if (split == Split::evaluation) return;
  if (finding.label >= 0) ++result.per_class.at(static_cast<std::size_t>(finding.label));
  for (std::size_t label = 0; label < finding.pixels.size(); ++label)
    result.per_class.at(label) += finding.pixels[label];
}

/// One split of a data set, with its part of the manifest where there is one.
struct CheckedSplit {
  Split split;
  const DataSet& set;
  const std::vector<Manifest::Sum>* sums;
};

void check_split(const CheckedSplit& checked, int threads, const Progress& progress,
                 CheckedDataSet& result) {
  std::optional<Ledger> ledger;
  if (checked.sums != nullptr) ledger.emplace(*checked.sums);
  std::vector<Examination> examinations;
  for (int worker = 0; worker < threads; ++worker) examinations.emplace_back(checked.set);
  std::vector<Finding> places(places_for(threads));
  const std::int64_t all = size_of_sides(checked.set);
  in_order(
      all, threads,
      [&](int worker, std::int64_t index, std::size_t place) {
        examinations[static_cast<std::size_t>(worker)].examine(index, places[place]);
      },
      [&](std::int64_t index, std::size_t place) {
        tally(places[place], checked.split, result);
        if (ledger) ledger->enter(places[place], result);
        progress(checked.split == Split::training ? "checked" : "for evaluation checked", index + 1,
                 all);
      });
  if (ledger) ledger->close(result);
}

}  // namespace

void FaultyItems::add(const std::string& name, const std::string& reason) {
  ++count;
  if (first.size() < most_named) first.push_back({name, reason});
}

CheckedDataSet check_data_set(const std::filesystem::path& path, int threads,
                              const Progress& progress) {
  const auto set = open_data_set(path);
  const auto evaluation = open_evaluation_split(path);
  const auto manifest = read_manifest(path);
  CheckedDataSet result;
  result.format = set->format();
  result.kind = set->kind();
  result.items = set->size();
  result.other_items = set->other_size();
  result.per_class.resize(static_cast<std::size_t>(set->classes()));
  for (std::int64_t label = 0; label < set->classes(); ++label)
    result.class_names.push_back(set->class_name(label));
  if (manifest) {
    result.made_by = manifest->made_by;
    result.attainable = manifest->attainable;
  }
  check_split({Split::training, *set, manifest ? &manifest->sums : nullptr}, threads, progress,
              result);
  if (evaluation) {
    result.evaluation_items = evaluation->size();
    result.other_evaluation_items = evaluation->other_size();
    check_split({Split::evaluation, *evaluation, manifest ? &manifest->evaluation_sums : nullptr},
                threads, progress, result);
  } else if (manifest) {
    Ledger(manifest->evaluation_sums).close(result);
  }
  return result;
}

}  // namespace trainmark::data
