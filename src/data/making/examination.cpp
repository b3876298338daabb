#include "data/making/examination.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "data/making/checksum.h"
#include "data/making/sides.h"

namespace trainmark::data {

namespace {

constexpr std::uint8_t ignored_class = 255;

/// A word of a vocabulary cannot be told from damage, but these can.
void check_tokens(const std::vector<std::int32_t>& tokens) {
  const auto negative =
      std::find_if(tokens.begin(), tokens.end(), [](auto token) { return token < 0; });
  if (negative != tokens.end())
    throw BadItem(fmt::format("token {} is {}", negative - tokens.begin(), *negative));
}

std::int64_t stored_bytes(const Item& item) {
  const std::size_t words = item.tokens.size() + item.target.size();
  return static_cast<std::int64_t>(item.picture.size() + item.decoded.pixels.size() +
                                   item.second.size() + words * sizeof(std::int32_t));
}

}  // namespace

Examination::Examination(const DataSet& set)
    : set_(set), kind_(set.kind()), label_map_(set.label_map()) {}

void Examination::examine(std::int64_t index, Finding& finding) {
  finding = Finding{};
  try {
    read_side(set_, index, item_);
    finding.was_read = true;
    finding.bytes = stored_bytes(item_);
    finding.checksum = checksum_of(item_);
    decode(finding);
  } catch (const BadItem& bad) {
    finding.fault = bad.what();
  } catch (const BadPicture& bad) {
    finding.fault = bad.what();
  } catch (const SystemError& refused) {
    finding.fault = refused.what();
  }
  finding.name = item_.name.empty() ? fmt::format("item {}", index) : item_.name;
}

void Examination::decode(Finding& finding) {
  if (kind_ == kind::masked_sentences || kind_ == kind::sentence_pairs) return check_words();
  if (item_.decoded.pixels.empty()) {
    finding.encoding = inspect(item_.picture).encoding;
    decoder_.decode(item_.picture, picture_);
  }
  if (kind_ == kind::labelled_pixels) return decode_pixels(finding);
  if (kind_ != kind::labelled_images) return;
  if (item_.label < 0 || (set_.classes() > 0 && item_.label >= set_.classes()))
    throw BadItem(
        fmt::format("its label {} is not one of {} classes", item_.label, set_.classes()));
  finding.label = item_.label;
}

void Examination::decode_pixels(Finding& finding) {
  decoder_.decode_labels(item_.second, labels_);
  if (labels_.width != picture_.width || labels_.height != picture_.height)
    throw BadItem(fmt::format("the picture has {} × {} pixels, its labels have {} × {}",
                              picture_.width, picture_.height, labels_.width, labels_.height));
  std::array<std::int64_t, 256> numbers{};
  for (const std::uint8_t number : labels_.pixels) ++numbers[number];
  finding.pixels.assign(static_cast<std::size_t>(set_.classes()), 0);
  for (std::size_t number = 0; number < numbers.size(); ++number) {
    const std::size_t label = label_map_ ? (*label_map_)[number] : number;
    if (numbers[number] == 0 || label == ignored_class) continue;
    if (label >= finding.pixels.size())
      throw BadItem(
          fmt::format("its labels hold {}, and there are {} classes", number, set_.classes()));
    finding.pixels[label] += numbers[number];
  }
}

void Examination::check_words() const {
  if (item_.tokens.empty()) throw BadItem("it has no tokens");
  check_tokens(item_.tokens);
  if (kind_ == kind::sentence_pairs && item_.target.empty()) throw BadItem("it has no translation");
  check_tokens(item_.target);
  for (const std::int32_t position : item_.positions)
    if (position < 0 || static_cast<std::size_t>(position) >= item_.tokens.size())
      throw BadItem(fmt::format("position {} is masked, and it has {} tokens", position,
                                item_.tokens.size()));
}

std::string promised_encoding(const std::string& name) {
  std::string ending = std::filesystem::path(name).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (ending == ".jpg" || ending == ".jpeg") return "jpeg";
  return ending == ".png" ? "png" : "";
}

}  // namespace trainmark::data
