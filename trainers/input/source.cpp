#include "input/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "input/random_labels.h"
#include "input/settings.h"

namespace trainmark::train {
namespace {

/// What an H200 decodes beside a step, in workers: 8 500 pictures/s by the size of ImageNet's, of
/// which a worker decodes 620.
constexpr double workers_per_gpu = 14;

}  // namespace

Source::Source(const FeedSetup& setup)
    : set_(open_training_set(setup)), settings_(pipeline_settings(setup)) {
  choose_decoder(setup);
  pipeline_ = std::make_unique<data::Pipeline>(set_, settings_);
}

void Source::choose_decoder(const FeedSetup& setup) {
  if (settings_.height == 0) return;
  decoder_name_ = "cpu";
  if (!setup.make_decoder) return;
  std::string why_not;
  if (setup.options.data.decode_on == DecodeOn::cpu) {
    why_not = "asked for";
  } else if (settings_.kind != data::kind::labelled_images) {
    why_not = "GPUs decode labelled images only";
  } else if (settings_.augmentation != data::Augmentation::resized_crops) {
    why_not = "GPUs cut random parts only";
  } else {
    decoder_ = setup.make_decoder(why_not);
  }
  if (!decoder_) {
    decoder_name_ = "cpu: " + why_not;
  } else if (setup.options.data.decode_on == DecodeOn::gpu) {
    decoder_name_ = decoder_->name();
    settings_.encoded_share = 1;
  } else {
    settings_.encoded_share = workers_per_gpu / (workers_per_gpu + settings_.workers);
    decoder_name_ =
        fmt::format("{} for {:.0f} %, cpu", decoder_->name(), 100 * settings_.encoded_share);
  }
}

nlohmann::json Source::start() const {
  nlohmann::json fields = {
      {"format", set_->format()}, {"samples", set_->size()}, {"workers", settings_.workers}};
  if (!decoder_name_.empty()) fields["decoder"] = decoder_name_;
  return fields;
}

data::Position Source::position_after(const std::optional<data::Position>& last) const {
  data::Position next = settings_.start;
  if (last) next = {.epoch = last->epoch, .batch = last->batch + 1};
  if (next.batch >= pipeline_->batches_per_epoch()) next = {.epoch = next.epoch + 1, .batch = 0};
  return next;
}

nlohmann::json Source::end(const std::optional<data::Position>& last) const {
  const data::Position next = position_after(last);
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
