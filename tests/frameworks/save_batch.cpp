// save_batch PATH SIDE ITEMS SEED FILE [AUGMENTATION]: the first batch that the C++ pipeline makes
// of a data set of labelled images, as a safetensors file, and on stdout a JSON array that says of
// each item its name, which part of the picture it is, and whether it was turned.

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "data/pipeline/pipeline.h"

namespace {

void save(const trainmark::data::HostBatch& batch, std::int64_t side, const std::string& path) {
  const std::size_t image_bytes = batch.image_bytes.size();
  const std::size_t label_bytes = batch.labels.size() * sizeof(std::int64_t);
  const nlohmann::json header = {
      {"labels", {{"dtype", "I64"}, {"shape", {batch.items}}, {"data_offsets", {0, label_bytes}}}},
      {"images",
       {{"dtype", "U8"},
        {"shape", {batch.items, side, side, 3}},
        {"data_offsets", {label_bytes, label_bytes + image_bytes}}}}};
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&length), sizeof(length));
  file << text;
  file.write(reinterpret_cast<const char*>(batch.labels.data()),
             static_cast<std::streamsize>(label_bytes));
  file.write(reinterpret_cast<const char*>(batch.image_bytes.data()),
             static_cast<std::streamsize>(image_bytes));
}

nlohmann::json describe(const trainmark::data::HostBatch& batch) {
  nlohmann::json items = nlohmann::json::array();
  for (std::size_t place = 0; place < batch.names.size(); ++place) {
    const trainmark::data::Box& box = batch.boxes[place];
    items.push_back({{"name", batch.names[place]},
                     {"box", {box.top, box.left, box.height, box.width}},
                     {"flipped", batch.flipped[place] != 0}});
  }
  return items;
}

}  // namespace

int main(int count, char** words) {
  if (count != 6 && count != 7) {
    fmt::print(stderr, "save_batch: give PATH SIDE ITEMS SEED FILE [AUGMENTATION]\n");
    return 2;
  }
  try {
    trainmark::data::PipelineSettings settings;
    settings.kind = trainmark::data::kind::labelled_images;
    settings.width = settings.height = std::stoi(words[2]);
    settings.batch = std::stoll(words[3]);
    settings.seed = std::stoull(words[4]);
    settings.floats = false;
    if (count == 7) settings.augmentation = trainmark::data::augmentation_named(words[6]);
    settings.on_bad = trainmark::data::OnBadItem::refuse;
    trainmark::data::Pipeline pipeline(trainmark::data::open_data_set(words[1]), settings);
    const trainmark::data::HostBatch& batch = pipeline.next();
    save(batch, settings.width, words[5]);
    fmt::print("{}\n", describe(batch).dump());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "save_batch: {}\n", error.what());
    return 1;
  }
}
