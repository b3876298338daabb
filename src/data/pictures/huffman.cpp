#include "data/pictures/huffman.h"

#include <jerror.h>
#include <jpegint.h>  // for the place of the entropy decoder

#include <algorithm>
#include <bit>
#include <cstring>

namespace trainmark::data {

namespace {

/// Where in a block the numbers go, in the order in which they are stored.
constexpr std::array<std::uint8_t, DCTSIZE2> places = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

std::uint64_t eight_bytes(const std::uint8_t* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

constexpr bool has_byte_ff(std::uint64_t word) {
  return ((~word - 0x0101010101010101U) & word & 0x8080808080808080U) != 0;
}

/// The number in the first `size` bits: those that begin with 1 are positive.
[[gnu::always_inline]] inline std::int32_t leading_number(std::uint64_t bits, int size) {
  const auto magnitude = static_cast<std::int32_t>(bits >> 1 >> (63 - size));
  const std::int32_t if_negative = static_cast<std::int64_t>(bits) < 0 ? 0 : -1;
  return magnitude + (if_negative & (1 - (1 << size)));
}

constexpr std::uint32_t as_entry(std::int32_t number, int zeros, int bits) {
  return static_cast<std::uint32_t>(number) << 16 | static_cast<std::uint32_t>(zeros) << 8 |
         static_cast<std::uint32_t>(bits);
}

constexpr std::int16_t number_in(std::uint32_t entry) {
  return static_cast<std::int16_t>(entry >> 16);
}

constexpr std::size_t zeros_in(std::uint32_t entry) {
  return entry >> 8 & 0xff;
}

}  // namespace

HuffmanDecoder::Entry HuffmanDecoder::Table::entry_of(int symbol, int length,
                                                      std::uint32_t index) const {
  const int size = is_first ? symbol : symbol & 15;
  const int zeros = is_first ? 0 : symbol >> 4;
  if (!is_first && size == 0 && zeros != 15) return as_entry(0, end_of_block, length);
  if (length + size > table_bits) return as_entry(size, zeros, length) | number_follows;
  const std::uint64_t rest = std::uint64_t{index} << (64 - table_bits) << length;
  return as_entry(leading_number(rest, size), zeros, length + size);
}

/// libjpeg has checked the codes already: they fit, and first numbers have at most 15 bits.
void HuffmanDecoder::Table::build(const JHUFF_TBL& codes, bool of_first) {
  const bool is_same = std::equal(codes.bits, codes.bits + 17, source.bits) &&
                       std::equal(codes.huffval, codes.huffval + 256, source.huffval);
  if (is_same && is_first == of_first) return;
  source = codes;
  is_first = of_first;
  entries.fill(0);
  std::uint32_t code = 0;
  std::int32_t symbol = 0;
  for (int length = 1; length <= 16; ++length, code <<= 1) {
    symbols[static_cast<std::size_t>(length)] = symbol - static_cast<std::int32_t>(code);
    for (int number = 0; number < codes.bits[length]; ++number, ++code, ++symbol) {
      if (length > table_bits) continue;
      const std::uint32_t begin = code << (table_bits - length);
      const std::uint32_t end = begin + (1U << (table_bits - length));
      for (std::uint32_t index = begin; index < end; ++index)
        entries[index] = entry_of(codes.huffval[symbol], length, index);
    }
    limits[static_cast<std::size_t>(length)] = code;
  }
}

void HuffmanDecoder::take_over(jpeg_decompress_struct& info) {
  info_ = &info;
  raw_ = info.src->next_input_byte;
  raw_end_ = raw_ + info.src->bytes_in_buffer;
  next_restart_ = 0;
  units_to_restart_ = info.restart_interval;
  begin_segment();
  for (int at = 0; at < info.comps_in_scan; ++at) {
    const jpeg_component_info& component = *info.cur_comp_info[at];
    const auto first = static_cast<std::size_t>(component.dc_tbl_no);
    const auto others = static_cast<std::size_t>(component.ac_tbl_no);
    first_tables_[first].build(*info.dc_huff_tbl_ptrs[first], true);
    other_tables_[others].build(*info.ac_huff_tbl_ptrs[others], false);
  }
  info.client_data = this;
  info.entropy->decode_mcu = decode_unit;
}

void HuffmanDecoder::refuse(int reason) const {
  info_->err->msg_code = reason;
  info_->err->error_exit(reinterpret_cast<j_common_ptr>(info_));
  __builtin_unreachable();
}

/// Moves what is left to the front and adds what comes, up to the next mark. In data, 0xff is
/// stored as 0xff 0x00. So many zeros follow that one unit cannot read beyond them.
void HuffmanDecoder::fill_buffer() {
  const auto used = static_cast<std::size_t>(bits_.next - buffer_.data());
  const std::size_t left = std::max(filled_, used) - used;
  std::memmove(buffer_.data(), bits_.next, left);
  bits_.next = buffer_.data();
  std::uint8_t* to = buffer_.data() + left;
  const std::uint8_t* const to_end = buffer_.data() + buffer_bytes;
  while (to_end - to >= 8 && !is_last_) {
    if (raw_ == raw_end_) {
      is_last_ = true;
      break;
    }
    if (raw_end_ - raw_ >= 8) {
      const std::uint64_t word = eight_bytes(raw_);
      if (!has_byte_ff(word)) {
        std::memcpy(to, &word, sizeof word);
        to += 8;
        raw_ += 8;
        continue;
      }
    }
    if (*raw_ == 0xff) {
      is_last_ = raw_end_ - raw_ < 2 || raw_[1] != 0;
      if (is_last_) break;
      ++raw_;
      *to++ = 0xff;
    } else {
      *to++ = *raw_;
    }
    ++raw_;
  }
  filled_ = static_cast<std::size_t>(to - buffer_.data());
  std::memset(to, 0, most_unit_bytes + 8);
}

/// At least 56 bits are there afterwards. Whole bytes are counted; of the next one, some bits are
/// there already, and come again.
[[gnu::always_inline]] inline void HuffmanDecoder::Bits::refill() {
  std::uint64_t word = eight_bytes(next);
  if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
  bits |= word >> count;
  next += (63 - count) >> 3;
  count |= 56;
}

[[gnu::always_inline]] inline void HuffmanDecoder::Bits::skip(Entry entry) {
  const auto used = static_cast<int>(entry & 63);
  bits <<= used;
  count -= used;
}

/// A code that is longer than the table's. `bits` has 16 of them.
[[gnu::noinline]] HuffmanDecoder::Entry HuffmanDecoder::long_code(Bits bits,
                                                                  const Table& table) const {
  for (int length = table_bits + 1; length <= 16; ++length) {
    const auto code = static_cast<std::uint32_t>(bits.bits >> (64 - length));
    if (code >= table.limits[static_cast<std::size_t>(length)]) continue;
    const std::int32_t symbol =
        static_cast<std::int32_t>(code) + table.symbols[static_cast<std::size_t>(length)];
    return table.entry_of(table.source.huffval[symbol], length, 0);
  }
  refuse(JWRN_HUFF_BAD_CODE);
}

/// One number with the zeros before it: at most 25 bits, or 31 of those that are there after
/// refill.
[[gnu::always_inline]] inline HuffmanDecoder::Entry HuffmanDecoder::take(Bits& bits,
                                                                         const Table& table) const {
  Entry entry = table.entries[bits.bits >> (64 - table_bits)];
  if (entry == 0) [[unlikely]] {
    bits.refill();
    entry = long_code(bits, table);
  }
  bits.skip(entry);
  if ((entry & number_follows) != 0) {
    const int size = number_in(entry);
    const std::int32_t number = leading_number(bits.bits, size);
    bits.bits <<= size;
    bits.count -= size;
    entry = as_entry(number, static_cast<int>(zeros_in(entry)), 0);
  }
  return entry;
}

HuffmanDecoder::Bits HuffmanDecoder::read_block(Bits bits, const Table& first, const Table& others,
                                                JCOEF& last_first, JCOEF* block) const {
  bits.refill();
  last_first = static_cast<JCOEF>(last_first + number_in(take(bits, first)));
  block[0] = last_first;
  Entry entry = take(bits, others);
  std::size_t at = zeros_in(entry) + 1;
  while (at < DCTSIZE2 - 1) {
    // Two between refills.
    bits.refill();
    block[places[at]] = number_in(entry);
    entry = take(bits, others);
    at += zeros_in(entry) + 1;
    if (at >= DCTSIZE2 - 1) break;
    block[places[at]] = number_in(entry);
    entry = take(bits, others);
    at += zeros_in(entry) + 1;
  }
  if (at == DCTSIZE2 - 1)
    block[places[at]] = number_in(entry);
  else if (zeros_in(entry) != end_of_block)
    refuse(JWRN_HUFF_BAD_CODE);
  return bits;
}

void HuffmanDecoder::read_unit(JBLOCKROW* blocks) {
  if (info_->restart_interval != 0 && units_to_restart_-- == 0) restart();
  if (!is_last_ && bits_.next + most_unit_bytes > buffer_.data() + filled_) fill_buffer();
  Bits bits = bits_;
  for (int at = 0; at < info_->blocks_in_MCU; ++at) {
    const auto channel = static_cast<std::size_t>(info_->MCU_membership[at]);
    const jpeg_component_info& component = *info_->cur_comp_info[channel];
    bits = read_block(bits, first_tables_[static_cast<std::size_t>(component.dc_tbl_no)],
                      other_tables_[static_cast<std::size_t>(component.ac_tbl_no)],
                      last_first_[channel], blocks != nullptr ? *blocks[at] : unwanted_);
  }
  bits_ = bits;
  if (bits.next - buffer_.data() - bits.count / 8 > static_cast<std::ptrdiff_t>(filled_))
    refuse(JWRN_HIT_MARKER);
  info_->src->next_input_byte = raw_;
  info_->src->bytes_in_buffer = static_cast<std::size_t>(raw_end_ - raw_);
}

/// Marks between units have numbers, so that missing data is noticed.
void HuffmanDecoder::restart() {
  const auto* mark = raw_;
  while (raw_end_ - mark >= 2 && (mark[0] != 0xff || mark[1] == 0 || mark[1] == 0xff)) ++mark;
  if (raw_end_ - mark < 2 || mark[1] != JPEG_RST0 + next_restart_) refuse(JWRN_HIT_MARKER);
  raw_ = mark + 2;
  next_restart_ = (next_restart_ + 1) % 8;
  units_to_restart_ = info_->restart_interval - 1;
  begin_segment();
}

void HuffmanDecoder::begin_segment() {
  bits_ = {buffer_.data(), 0, 0};
  filled_ = 0;
  is_last_ = false;
  last_first_ = {};
}

boolean HuffmanDecoder::decode_unit(j_decompress_ptr info, JBLOCKROW* blocks) {
  static_cast<HuffmanDecoder*>(info->client_data)->read_unit(blocks);
  return TRUE;
}

}  // namespace trainmark::data
