#include "data/formats/recordio_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "data/formats/data_set.h"
#include "data/formats/item_file.h"

// A part is a mark, a word with its kind (3 bits) and length (29 bits), and its bytes, filled up to
// four. Where a record contains the mark at a multiple of four bytes, it is cut there: so that any
// mark in a file begins a part.

namespace trainmark::data {

namespace {

constexpr std::uint32_t recordio_mark = 0xced7230a;
constexpr std::uint64_t part_head_bytes = 8;
constexpr std::size_t image_head_bytes = 24;        // flag, label, id, id2
constexpr std::size_t most_index_bytes = 1U << 30;  // of an .idx: some 50 million records
constexpr std::uint32_t most_labels = 1 << 16;      // of one record

enum PartKind : std::uint32_t { whole_part = 0, first_part = 1, middle_part = 2, last_part = 3 };

struct PartHead {
  std::uint32_t kind;
  std::uint64_t length;
};

std::uint32_t word_at(const std::uint8_t* bytes) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);  // little-endian
  return word;
}

std::uint64_t up_to_four(std::uint64_t length) {
  return (length + 3) / 4 * 4;
}

/// `bytes`: what the file has at this place.
PartHead part_head(BytesView bytes, std::uint64_t at) {
  if (bytes.size() < part_head_bytes) throw BadItem("truncated at the end of its file");
  if (word_at(bytes.data()) != recordio_mark)
    throw BadItem(fmt::format("there is no record at byte {}", at));
  const std::uint32_t word = word_at(bytes.data() + 4);
  return {word >> 29, word & ((1U << 29) - 1)};
}

PartHead read_part_head(const InputFile& file, std::uint64_t at) {
  std::array<std::uint8_t, part_head_bytes> bytes{};
  const bool fits = at <= file.size() && file.size() - at >= bytes.size();
  if (fits) file.read(at, bytes);
  return part_head(fits ? BytesView(bytes) : BytesView(), at);
}

/// From the text beside it: key, tab, place.
std::vector<std::uint64_t> read_recordio_index(const std::filesystem::path& path) {
  const std::string text = read_file(path, most_index_bytes);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  std::size_t line = 0;
  for (std::string_view left = text; !left.empty();) {
    ++line;
    const std::string_view here = trim(left.substr(0, left.find('\n')));
    left.remove_prefix(std::min(left.size(), left.find('\n') == std::string_view::npos
                                                 ? left.size()
                                                 : left.find('\n') + 1));
    if (here.empty()) continue;
    std::pair<std::uint64_t, std::uint64_t> place;
    const char* end = here.data() + here.size();
    const auto key = std::from_chars(here.data(), end, place.first);
    const bool has_tab = key.ec == std::errc() && key.ptr != end && *key.ptr == '\t';
    if (!has_tab || std::from_chars(key.ptr + 1, end, place.second).ptr != end)
      throw UserError(
          fmt::format("{}:{}: not a key, a tab and a place; remove the file, and records "
                      "are found without it",
                      printable(path.string()), line));
    places.push_back(place);
  }
  std::ranges::sort(places);
  std::vector<std::uint64_t> begins;
  begins.reserve(places.size());
  for (const auto& [key, begin] : places) begins.push_back(begin);
  return begins;
}

}  // namespace

std::vector<std::uint64_t> find_recordio_records(const InputFile& file) {
  std::filesystem::path index = file.path();
  index.replace_extension(".idx");
  std::error_code error;
  if (std::filesystem::exists(index, error)) return read_recordio_index(index);

  std::vector<std::uint64_t> begins;
  FileWindow window(file);
  bool inside = false;  // a record of several parts
  for (std::uint64_t at = 0; at < file.size();) {
    if (!inside) begins.push_back(at);
    if (file.size() - at < part_head_bytes) break;
    try {
      const PartHead part = part_head(window.see(at, part_head_bytes), at);
      at += part_head_bytes + up_to_four(part.length);
      inside = part.kind == first_part || part.kind == middle_part;
    } catch (const BadItem&) {
      throw UserError(
          fmt::format("{}: damaged at byte {}: no record begins there; write the file "
                      "again, or put an .idx beside it",
                      printable(file.path().string()), at));
    }
  }
  return begins;
}

void read_recordio_record(const InputFile& file, std::uint64_t begin, Bytes& record) {
  PartHead part = read_part_head(file, begin);
  if (part.kind != whole_part && part.kind != first_part)
    throw BadItem(fmt::format("at byte {} there is a later part of a record", begin));
  read_item_at(file, begin + part_head_bytes, part.length, record);
  while (part.kind == first_part || part.kind == middle_part) {
    begin += part_head_bytes + up_to_four(part.length);
    part = read_part_head(file, begin);
    if (part.kind != middle_part && part.kind != last_part)
      throw BadItem("its last part is missing");
    const std::size_t before = record.size();
    const std::uint64_t place = begin + part_head_bytes;
    if (part.length > most_item_bytes - before || part.length > file.size() - place)
      throw BadItem("its parts are longer than their file or than any item");
    record.resize(before + sizeof recordio_mark + part.length);
    std::memcpy(record.data() + before, &recordio_mark, sizeof recordio_mark);
    file.read(place, std::span(record).subspan(before + sizeof recordio_mark));
  }
}

RecordBeginning see_recordio_beginning(FileWindow& window, std::uint64_t begin, std::size_t most) {
  const BytesView bytes = window.see(begin, part_head_bytes + most);
  const PartHead part = part_head(bytes, begin);
  const BytesView behind = bytes.subspan(part_head_bytes);
  return {behind.first(std::min<std::uint64_t>(behind.size(), part.length)), part.length};
}

void read_recordio_head(BytesView record, RecordIoHead& head) {
  if (record.size() < image_head_bytes) throw BadItem("shorter than the head of a picture");
  const std::uint32_t count = word_at(record.data());
  head.bytes = image_head_bytes;
  const std::uint8_t* from = record.data() + 4;
  head.labels.resize(1);
  if (count > 0) {
    if (count > most_labels || count > (record.size() - image_head_bytes) / sizeof(float))
      throw BadItem(fmt::format("its head claims {} labels, more than fit", count));
    from = record.data() + image_head_bytes;
    head.bytes += count * sizeof(float);
    head.labels.resize(count);
  }
  std::memcpy(head.labels.data(), from, head.labels.size() * sizeof(float));
}

Bytes frame_recordio_record(BytesView record) {
  Bytes framed;
  framed.reserve(record.size() + 2 * part_head_bytes);
  const auto put = [&](std::uint32_t word) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&word);
    framed.insert(framed.end(), bytes, bytes + sizeof word);
  };
  const auto put_part = [&](std::uint32_t kind, BytesView part) {
    TRAINMARK_ASSERT(part.size() < 1U << 29);
    put(recordio_mark);
    put(kind << 29 | static_cast<std::uint32_t>(part.size()));
    framed.insert(framed.end(), part.begin(), part.end());
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at + 4 <= record.size(); at += 4) {
    if (word_at(record.data() + at) != recordio_mark) continue;
    put_part(begin == 0 ? first_part : middle_part, record.subspan(begin, at - begin));
    begin = at + 4;
  }
  put_part(begin == 0 ? whole_part : last_part, record.subspan(begin));
  framed.resize(up_to_four(framed.size()));
  return framed;
}

Bytes pack_recordio(float label, std::uint64_t id, BytesView picture) {
  Bytes record(image_head_bytes + picture.size());
  std::memcpy(record.data() + 4, &label, sizeof label);
  std::memcpy(record.data() + 8, &id, sizeof id);
  std::ranges::copy(picture, record.begin() + image_head_bytes);
  return record;
}

}  // namespace trainmark::data
