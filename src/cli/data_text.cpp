#include "cli/data_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/text.h"

namespace trainmark {

namespace {

constexpr std::size_t most_listed_classes = 20;

std::string items_text(std::int64_t items, std::int64_t other_items) {
  const std::string text = counted(static_cast<std::size_t>(items), "item");
  return other_items == 0 ? text
                          : fmt::format("{} on one side, {} on the other", text, other_items);
}

std::string evaluation_text(std::int64_t items, std::int64_t other_items) {
  return items == 0 ? "" : fmt::format("  for evaluation: {}\n", items_text(items, other_items));
}

std::string attainable_text(const std::optional<data::Attainable>& attainable) {
  if (!attainable) return "";
  return fmt::format("  attainable: {} of {:.4f}\n", printable(attainable->metric),
                     attainable->quality);
}

std::string faults_text(const char* what, const data::FaultyItems& faults) {
  if (faults.count == 0) return "";
  const bool more = faults.count > static_cast<std::int64_t>(faults.first.size());
  std::string text =
      fmt::format("  {} {}{}\n", counted(static_cast<std::size_t>(faults.count), "item"), what,
                  more ? "; the first:" : ":");
  for (const auto& [name, reason] : faults.first)
    text += fmt::format("    {}: {}\n", printable(name), printable(reason));
  return text;
}

/// Each class where there are few, else how much they differ.
std::string classes_text(const data::CheckedDataSet& checked) {
  std::vector<std::int64_t> counts = checked.per_class;
  if (counts.empty()) return "";
  const char* unit = checked.kind == data::kind::labelled_pixels ? "pixels" : "items";
  if (counts.size() <= most_listed_classes) {
    std::string text = fmt::format("  {} per class:\n", unit);
    for (std::size_t label = 0; label < counts.size(); ++label)
      text += fmt::format("    {}: {}\n", printable(checked.class_names[label]), counts[label]);
    return text;
  }
  std::sort(counts.begin(), counts.end());
  return fmt::format("  {} classes; {} per class: {} to {}, median {}\n", counts.size(), unit,
                     counts.front(), counts.back(), counts[counts.size() / 2]);
}

std::string checksums_text(const data::CheckedDataSet& checked) {
  if (checked.made_by.empty()) return "  no checksums: it was not made by Trainmark\n";
  if (checked.changed.count + checked.missing.count + checked.added.count > 0) return "";
  return fmt::format("  checksums match, as written by {}\n", printable(checked.made_by));
}

nlohmann::ordered_json faults_json(const data::FaultyItems& faults) {
  auto first = nlohmann::ordered_json::array();
  for (const auto& [name, reason] : faults.first)
    first.push_back({{"item", printable(name)}, {"reason", printable(reason)}});
  return {{"count", faults.count}, {"first", first}};
}

std::string spread_text(const char* what, const std::optional<data::Spread>& spread) {
  if (!spread) return "";
  return fmt::format("  {}: {} to {}, median {}\n", what, spread->least, spread->most,
                     spread->median);
}

}  // namespace

std::string checked_text(const std::string& path, const data::CheckedDataSet& checked) {
  std::string text = fmt::format("{}: {}, {}\n", path, checked.format, checked.kind);
  text += fmt::format("  {}, {}\n", items_text(checked.items, checked.other_items),
                      bytes_text(static_cast<double>(checked.bytes)));
  text += evaluation_text(checked.evaluation_items, checked.other_evaluation_items);
  text += attainable_text(checked.attainable);
  text += classes_text(checked);
  text += checked.unreadable.count == 0 ? "  every item can be read\n"
                                        : faults_text("cannot be read", checked.unreadable);
  text +=
      faults_text("in another encoding than the name says (read nevertheless)", checked.misnamed);
  text += checksums_text(checked);
  text += faults_text("changed since the data set was made", checked.changed);
  text += faults_text("missing", checked.missing);
  return text + faults_text("added since the data set was made", checked.added);
}

std::string checked_json(const std::string& path, const data::CheckedDataSet& checked) {
  auto classes = nlohmann::ordered_json::array();
  for (std::size_t label = 0; label < checked.per_class.size(); ++label)
    classes.push_back(
        {{"name", printable(checked.class_names[label])}, {"count", checked.per_class[label]}});
  nlohmann::ordered_json json = {{"path", printable(path, 4096)},
                                 {"format", checked.format},
                                 {"kind", checked.kind},
                                 {"items", checked.items},
                                 {"other_items", checked.other_items},
                                 {"evaluation_items", checked.evaluation_items},
                                 {"other_evaluation_items", checked.other_evaluation_items},
                                 {"bytes", checked.bytes},
                                 {"sound", checked.is_sound()},
                                 {"checksums", !checked.made_by.empty()},
                                 {"unreadable", faults_json(checked.unreadable)},
                                 {"changed", faults_json(checked.changed)},
                                 {"missing", faults_json(checked.missing)},
                                 {"added", faults_json(checked.added)},
                                 {"misnamed", faults_json(checked.misnamed)},
                                 {"classes", classes}};
  if (checked.attainable)
    json["attainable"] = {{"metric", printable(checked.attainable->metric)},
                          {"quality", checked.attainable->quality}};
  return json.dump(2) + "\n";
}

std::string description_text(const std::string& path, const data::DataSet& set,
                             const data::DataSetDescription& description) {
  std::string text = fmt::format("{}: {}, {}\n", path, set.format(), set.kind());
  text += fmt::format("  {}\n", items_text(set.size(), set.other_size()));
  text += evaluation_text(description.evaluation_items, description.other_evaluation_items);
  text += attainable_text(description.attainable);
  if (set.classes() > 0)
    text += fmt::format("  {}\n",
                        set.classes() == 1 ? "1 class" : fmt::format("{} classes", set.classes()));
  text += fmt::format("  {} per item on average\n", bytes_text(description.mean_bytes));
  text += spread_text("width", description.width);
  text += spread_text("height", description.height);
  text += spread_text("tokens", description.tokens);
  text += spread_text("tokens of the translation", description.target);
  if (description.sampled < set.size() + set.other_size())
    text += fmt::format("  (sizes are those of {} items)\n", description.sampled);
  if (description.unreadable > 0)
    text += fmt::format("  {} of {} items cannot be read; `trainmark data check` names them\n",
                        description.unreadable, description.sampled);
  if (!description.made_by.empty())
    text += fmt::format("  made by {}\n", printable(description.made_by));
  return text;
}

}  // namespace trainmark
