#include "data/formats/tf_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/crc32c.h"
#include "data/formats/data_set.h"
#include "data/formats/file_window.h"
#include "data/formats/item_file.h"
#include "data/formats/tf_example.h"

namespace trainmark::data {

namespace {

constexpr std::uint64_t record_head = 12;  // the length and its sum
constexpr std::uint64_t record_tail = 4;   // the sum of the bytes

template <class Number>
Number tf_number_at(const std::uint8_t* bytes) {
  Number number = 0;
  std::memcpy(&number, bytes, sizeof number);  // little-endian
  return number;
}

/// The length that stands at a place; nothing where its sum is another.
std::optional<std::uint64_t> record_length(BytesView head) {
  if (tf_number_at<std::uint32_t>(head.data() + 8) != masked_crc32c(head.first(8))) return {};
  return tf_number_at<std::uint64_t>(head.data());
}

std::string what_a_damaged_head_is(BytesView head, std::uint64_t at) {
  const bool gzip = head[0] == 0x1f && head[1] == 0x8b;
  const bool zlib = head[0] == 0x78 && (head[0] * 256 + head[1]) % 31 == 0;
  if (at == 0 && (gzip || zlib))
    return "it seems to be compressed, so that its records cannot be read in any order; write it "
           "again without compression (its pictures are compressed already)";
  return fmt::format(
      "damaged at byte {}: the length of a record does not match its checksum; write the "
      "file again, or remove it",
      at);
}

}  // namespace

TfRecords find_tf_records(const InputFile& file) {
  TfRecords found;
  FileWindow window(file);
  for (std::uint64_t at = 0; at < file.size();) {
    if (file.size() - at < record_head) {
      found.begins.push_back(at);  // cut off, which reading it says
      break;
    }
    const BytesView head = window.see(at, record_head);
    const std::optional<std::uint64_t> length = record_length(head);
    if (!length)
      throw UserError(
          fmt::format("{}: {}", printable(file.path().string()), what_a_damaged_head_is(head, at)));
    found.begins.push_back(at);
    const std::uint64_t left = file.size() - at - record_head;
    if (left < record_tail || *length > left - record_tail) break;
    try {
      const std::uint64_t begin = at + record_head;
      const TfExample example =
          find_in_example(*length, [&](std::uint64_t place, std::size_t size) {
            return window.see(begin + place, std::min<std::uint64_t>(size, *length - place));
          });
      found.largest_label = std::max(found.largest_label, example.label);
    } catch (const BadItem&) {
      // Whoever reads the item is told.
    }
    at += record_head + *length + record_tail;
  }
  return found;
}

void read_tf_record(const InputFile& file, std::uint64_t begin, Bytes& record) {
  std::array<std::uint8_t, record_head> head{};
  if (file.size() - begin < record_head) throw BadItem("truncated at the end of its file");
  file.read(begin, head);
  const std::optional<std::uint64_t> length = record_length(head);
  if (!length) throw BadItem("its length does not match its checksum");
  if (*length > most_item_bytes)
    throw BadItem(
        fmt::format("{} bytes long; no item may have more than {}", *length, most_item_bytes));
  read_item_at(file, begin + record_head, *length + record_tail, record);
  const auto sum = tf_number_at<std::uint32_t>(record.data() + *length);
  record.resize(*length);
  if (masked_crc32c(record) != sum) throw BadItem("its bytes do not fit their sum (CRC-32C)");
}

Bytes frame_tf_record(BytesView record) {
  Bytes framed(record_head + record.size() + record_tail);
  const std::uint64_t length = record.size();
  std::memcpy(framed.data(), &length, sizeof length);
  const std::uint32_t length_sum = masked_crc32c(BytesView(framed).first(8));
  std::memcpy(framed.data() + 8, &length_sum, sizeof length_sum);
  std::ranges::copy(record, framed.begin() + record_head);
  const std::uint32_t sum = masked_crc32c(record);
  std::memcpy(framed.data() + record_head + length, &sum, sizeof sum);
  return framed;
}

}  // namespace trainmark::data
