#pragma once

#include <cstdio>  // jpeglib.h needs it and does not include it

#include <jpeglib.h>

#include <array>
#include <cstdint>

namespace trainmark::data {

/// Decodes the Huffman codes of a JPEG in libjpeg's place, which is where most of the time goes: a
/// number and its code are found by one look into a table, and no byte is examined twice. What
/// comes out is the same; what is damaged is an error (error_exit) and never a guess.
class HuffmanDecoder {
 public:
  /// For a picture in one sequential scan, after jpeg_start_decompress, until its end. The tables
  /// are kept for the next picture.
  void take_over(jpeg_decompress_struct& info);

 private:
  static constexpr int table_bits = 10;
  static constexpr std::size_t most_unit_bytes =
      D_MAX_BLOCKS_IN_MCU * DCTSIZE2 * 4;  // 31 bits each
  static constexpr std::size_t buffer_bytes = 4 * most_unit_bytes;

  /// What the next bits mean: from the lowest byte on, how many bits that takes, how many zeros
  /// come before the number, and the number, in two bytes. Where its bits are not all in the index,
  /// their count stands instead of the number, and the flag says so.
  using Entry = std::uint32_t;
  static constexpr Entry number_follows = 0x80;
  static constexpr Entry end_of_block = DCTSIZE2;  // as a number of zeros

  struct Table {
    std::array<Entry, 1 << table_bits> entries{};  // 0: a longer code
    std::array<std::uint32_t, 17> limits{};        // of each length: the first code beyond it
    std::array<std::int32_t, 17> symbols{};        // of each length: what leads from code to symbol
    JHUFF_TBL source{};     // that it was built from: most pictures have the same ones
    bool is_first = false;  // of the first number of each block, before which there are no zeros

    void build(const JHUFF_TBL& codes, bool of_first);
    Entry entry_of(int symbol, int length, std::uint32_t index) const;
  };

  /// The bits to come, from the top. A copy of it lives in registers.
  struct Bits {
    const std::uint8_t* next;
    std::uint64_t bits;
    int count;

    void refill();
    void skip(Entry entry);
  };

  static boolean decode_unit(j_decompress_ptr info, JBLOCKROW* blocks);
  void read_unit(JBLOCKROW* blocks);
  Bits read_block(Bits bits, const Table& first, const Table& others, JCOEF& last_first,
                  JCOEF* block) const;
  Entry take(Bits& bits, const Table& table) const;
  Entry long_code(Bits bits, const Table& table) const;
  void fill_buffer();
  void restart();
  void begin_segment();
  [[noreturn]] void refuse(int reason) const;

  jpeg_decompress_struct* info_ = nullptr;
  const std::uint8_t* raw_ = nullptr;  // not in the buffer yet
  const std::uint8_t* raw_end_ = nullptr;
  Bits bits_{};
  std::size_t filled_ = 0;  // of the buffer; zeros follow
  bool is_last_ = false;    // nothing is to be added before the next mark
  unsigned units_to_restart_ = 0;
  int next_restart_ = 0;
  std::array<JCOEF, MAX_COMPS_IN_SCAN> last_first_{};
  std::array<Table, NUM_HUFF_TBLS> first_tables_;
  std::array<Table, NUM_HUFF_TBLS> other_tables_;
  JBLOCK unwanted_;
  std::array<std::uint8_t, buffer_bytes + most_unit_bytes + 8> buffer_;
};

}  // namespace trainmark::data
