#include "input/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/settings.h"

namespace trainmark::train {

Source::Source(const FeedSetup& setup)
    : set_(data::open_data_set(setup.options.data.path)),
      settings_(pipeline_settings(setup)),
      pipeline_(std::make_unique<data::Pipeline>(set_, settings_)) {}

nlohmann::json Source::start() const {
  nlohmann::json fields = {
      {"format", set_->format()}, {"samples", set_->size()}, {"workers", settings_.workers}};
  if (settings_.height > 0) fields["decoder"] = "cpu";
  return fields;
}

nlohmann::json Source::end(const std::optional<data::Position>& last) const {
  data::Position next = settings_.start;
  if (last) next = {.epoch = last->epoch, .batch = last->batch + 1};
  if (next.batch >= pipeline_->batches_per_epoch()) next = {.epoch = next.epoch + 1, .batch = 0};
  const data::PipelineCounts counts = pipeline_->counts();
  nlohmann::json fields = {{"position", fmt::format("{}:{}", next.epoch, next.batch)},
                           {"skipped", counts.skipped}};
  if (counts.skipped > 0) fields["skipped_names"] = counts.skipped_names;
  return fields;
}

std::vector<std::string> formats_of(const std::string& kind) {
  std::vector<std::string> names;
  for (const auto& [name, format] : Registry<data::Format>::all()) {
    if (std::ranges::find(format.kinds, kind) != format.kinds.end()) names.push_back(name);
  }
  return names;
}

}  // namespace trainmark::train
