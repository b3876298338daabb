#include "data/formats/tf_example.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "data/formats/data_set.h"

// The messages, of which `1:` and so on are the fields:
//   Example {1: Features}   Features {1: repeated entry}   entry {1: text key, 2: Feature}
//   Feature {1: BytesList, 2: FloatList, 3: Int64List}   each list {1: repeated value}
// Numbers may be packed: one field that holds all of them.

namespace trainmark::data {

namespace {

constexpr std::size_t longest_varint = 10;
constexpr std::size_t longest_known_key = 32;

struct ProtoSpan {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The fields of a message, one after the other.
class ProtoFields {
 public:
  enum Wire : std::uint64_t {
    varint_wire = 0,
    eight_bytes_wire = 1,
    length_wire = 2,
    four_bytes_wire = 5
  };

  ProtoFields(ProtoSpan message, const Glimpse& glimpse)
      : at_(message.begin), end_(message.end), glimpse_(glimpse) {}

  /// False at the end of the message.
  bool next() {
    if (at_ >= end_) return false;
    const std::uint64_t tag = varint();
    number = tag >> 3;
    wire = tag & 7;
    switch (wire) {
      case varint_wire:
        value = varint();
        return true;
      case eight_bytes_wire:
        take(8);
        return true;
      case four_bytes_wire:
        take(4);
        return true;
      case length_wire:
        take(varint());
        return true;
      default:
        throw BadItem("damaged: a field of a kind that is not used");
    }
  }

  std::uint64_t number = 0;
  std::uint64_t wire = 0;
  std::uint64_t value = 0;  // of a varint
  ProtoSpan content;        // of all others

  std::uint64_t varint() {
    const std::size_t most = std::min<std::uint64_t>(longest_varint, end_ - at_);
    const BytesView bytes = glimpse_(at_, most);
    std::uint64_t result = 0;
    for (std::size_t place = 0; place < bytes.size(); ++place) {
      result |= static_cast<std::uint64_t>(bytes[place] & 127) << (7 * place);
      if (bytes[place] < 128) {
        at_ += place + 1;
        return result;
      }
    }
    throw BadItem("damaged: a number without an end");
  }

  bool at_end() const { return at_ >= end_; }

 private:
  void take(std::uint64_t size) {
    if (size > end_ - at_) throw BadItem("damaged: a field is longer than what it is part of");
    content = {at_, at_ + size};
    at_ += size;
  }

  std::uint64_t at_, end_;
  const Glimpse& glimpse_;
};

/// The lists of a Feature: one of the two that are of use here.
struct TfFeature {
  std::uint64_t texts = 0;  // how many
  ProtoSpan text;           // the last
  std::uint64_t numbers = 0;
  std::int64_t number = 0;
};

void read_bytes_list(ProtoSpan list, const Glimpse& glimpse, TfFeature& feature) {
  for (ProtoFields fields(list, glimpse); fields.next();) {
    if (fields.number != 1 || fields.wire != ProtoFields::length_wire) continue;
    ++feature.texts;
    feature.text = fields.content;
  }
}

void read_numbers_list(ProtoSpan list, const Glimpse& glimpse, TfFeature& feature) {
  for (ProtoFields fields(list, glimpse); fields.next();) {
    if (fields.number != 1) continue;
    if (fields.wire == ProtoFields::varint_wire) {
      ++feature.numbers;
      feature.number = static_cast<std::int64_t>(fields.value);
    } else if (fields.wire == ProtoFields::length_wire) {
      // Two are as wrong as a thousand: a long list need not be read to its end.
      for (ProtoFields packed(fields.content, glimpse); !packed.at_end() && feature.numbers < 2;) {
        ++feature.numbers;
        feature.number = static_cast<std::int64_t>(packed.varint());
      }
    }
  }
}

TfFeature read_feature(ProtoSpan message, const Glimpse& glimpse) {
  TfFeature feature;
  for (ProtoFields fields(message, glimpse); fields.next();) {
    if (fields.wire != ProtoFields::length_wire) continue;
    if (fields.number == 1) read_bytes_list(fields.content, glimpse, feature);
    if (fields.number == 3) read_numbers_list(fields.content, glimpse, feature);
  }
  return feature;
}

/// Where the features of an Example lie, of those that are looked for.
class KnownFeatures {
 public:
  void read_entry(ProtoSpan entry, const Glimpse& glimpse) {
    std::string key;
    std::optional<ProtoSpan> feature;
    for (ProtoFields fields(entry, glimpse); fields.next();) {
      if (fields.wire != ProtoFields::length_wire) continue;
      const std::uint64_t size = fields.content.end - fields.content.begin;
      if (fields.number == 2) feature = fields.content;
      if (fields.number != 1) continue;
      const BytesView bytes =
          glimpse(fields.content.begin, std::min<std::uint64_t>(size, longest_known_key));
      key = size <= longest_known_key ? std::string(bytes.begin(), bytes.end()) : "";
    }
    // Of two entries with one key, the last holds, as in every map of protobuf.
    for (std::size_t known = 0; known < keys.size(); ++known)
      if (key == keys[known]) places_[known] = feature.value_or(ProtoSpan{});
  }

  /// The first of two that is there.
  std::optional<ProtoSpan> either(std::size_t first, std::size_t second) const {
    return places_[first] ? places_[first] : places_[second];
  }

  static constexpr std::array<std::string_view, 4> keys = {"image/encoded", "image",
                                                           "image/class/label", "label"};

 private:
  std::array<std::optional<ProtoSpan>, 4> places_;
};

}  // namespace

TfExample find_in_example(std::uint64_t size, const Glimpse& glimpse) {
  KnownFeatures known;
  for (ProtoFields example({0, size}, glimpse); example.next();) {
    if (example.number != 1 || example.wire != ProtoFields::length_wire) continue;
    for (ProtoFields features(example.content, glimpse); features.next();)
      if (features.number == 1 && features.wire == ProtoFields::length_wire)
        known.read_entry(features.content, glimpse);
  }
  const std::optional<ProtoSpan> picture = known.either(0, 1);
  const std::optional<ProtoSpan> label = known.either(2, 3);
  if (!picture) throw BadItem("no feature 'image/encoded' or 'image'");
  if (!label) throw BadItem("no feature 'image/class/label' or 'label'");
  const TfFeature encoded = read_feature(*picture, glimpse);
  const TfFeature number = read_feature(*label, glimpse);
  if (encoded.texts != 1) throw BadItem("the feature of its picture is not one string of bytes");
  if (number.numbers != 1) throw BadItem("the feature of its label is not one integer");
  if (number.number < 0 || number.number > INT32_MAX)
    throw BadItem(fmt::format("its label is {}", number.number));
  return {encoded.text.begin, encoded.text.end - encoded.text.begin, number.number};
}

namespace {

void add_varint(std::string& to, std::uint64_t value) {
  for (; value >= 128; value >>= 7) to += static_cast<char>(value | 128);
  to += static_cast<char>(value);
}

/// A field that has a length.
std::string proto_field(int number, std::string_view content) {
  std::string field(1, static_cast<char>(number << 3 | 2));
  add_varint(field, content.size());
  field += content;
  return field;
}

/// An entry of the features, whose value is a list of this field.
std::string proto_entry(std::string_view key, int list, std::string_view values) {
  return proto_field(1, proto_field(1, key) + proto_field(2, proto_field(list, values)));
}

}  // namespace

Bytes make_example(BytesView picture, const std::string& encoding, std::int64_t label) {
  std::string packed;
  add_varint(packed, static_cast<std::uint64_t>(label));
  const std::string_view encoded(reinterpret_cast<const char*>(picture.data()), picture.size());
  const std::string example =
      proto_field(1, proto_entry("image/class/label", 3, proto_field(1, packed)) +
                         proto_entry("image/encoded", 1, proto_field(1, encoded)) +
                         proto_entry("image/format", 1, proto_field(1, encoding)));
  return {example.begin(), example.end()};
}

}  // namespace trainmark::data
