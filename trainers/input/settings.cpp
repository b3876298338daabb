#include "input/settings.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace trainmark::train {
namespace {

namespace kind = data::kind;

/// A dimension of an input: a number, or the name of one in the size.
int dimension(const Size& size, const Input& input, std::size_t place) {
  const std::string& text = input.shape.at(place);
  int number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc() && end == last ? number : static_cast<int>(size.at(text));
}

/// Of the pictures of a kind. What a generator makes lies in [-1, 1], and so must what it is
/// compared with; all others are as ImageNet's are by custom.
data::Normalization normalization_of(const std::string& data_kind) {
  if (data_kind != kind::image_pairs) return {};
  return {.mean = {0.5F, 0.5F, 0.5F}, .deviation = {0.5F, 0.5F, 0.5F}};
}

int local_ranks() {
  const char* const value = std::getenv("LOCAL_WORLD_SIZE");
  int ranks = 1;
  if (value != nullptr) std::from_chars(value, value + std::strlen(value), ranks);
  return std::max(ranks, 1);
}

}  // namespace

data::PipelineSettings pipeline_settings(const FeedSetup& setup) {
  const Options& options = setup.options;
  const Contract& contract = setup.contract;
  const Size& size = contract.size(options.size);
  data::PipelineSettings settings{
      .kind = contract.data,
      .seed = options.seed,
      .batch = options.batch,
      .rank = setup.rank,
      .ranks = setup.ranks,
      .workers = options.data.workers > 0 ? options.data.workers : default_workers(options.device),
      .floats = options.device == "cpu",
      .normalization = normalization_of(contract.data),
      .on_bad = options.data.skip_bad ? data::OnBadItem::skip : data::OnBadItem::refuse,
      .start = {.epoch = options.data.epoch, .batch = options.data.batch}};
  if (contract.data == kind::masked_sentences || contract.data == kind::sentence_pairs) {
    settings.tokens = static_cast<int>(size.at("tokens"));
    settings.vocabulary = size.at("vocabulary");
    settings.like_lengths = !has_fixed_shapes(options);
    if (contract.data == kind::masked_sentences) {
      settings.masked = static_cast<int>(size.at("masked"));
    }
    return settings;
  }
  const Input& pictures = contract.inputs.front();  // [batch, 3, height, width]
  TRAINMARK_ASSERT(pictures.shape.size() == 4);
  settings.height = dimension(size, pictures, 2);
  settings.width = dimension(size, pictures, 3);
  if (contract.data != kind::image_pairs) settings.classes = size.at("classes");
  if (options.quality.wanted && contract.data == kind::labelled_images) {
    settings.augmentation = data::augmentation_named(contract.training->augmentation);
  }
  return settings;
}

int default_workers(const std::string& device) {
  cpu_set_t own;
  CPU_ZERO(&own);
  int cores = sched_getaffinity(0, sizeof(own), &own) == 0 ? CPU_COUNT(&own) : 1;
  if (cores >= sysconf(_SC_NPROCESSORS_ONLN)) cores /= local_ranks();
  return std::max(1, device == "cpu" ? cores : cores - 1);
}

bool has_fixed_shapes(const Options& options) {
  return options.mode == "graph";
}

}  // namespace trainmark::train
