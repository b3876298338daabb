#include "data/formats/hdf5_writer.h"

#include <zlib.h>

#include <algorithm>

#include "base/error.h"

namespace trainmark::data {

namespace {

constexpr std::uint64_t written_nowhere = ~std::uint64_t{0};
constexpr std::uint64_t group_leaf_symbols = 8;    // twice the superblock's K
constexpr std::uint64_t group_node_children = 32;  // likewise
constexpr std::uint64_t chunk_node_children = 64;  // fixed in the oldest version
constexpr std::uint64_t fewest_chunk_rows = 64;
constexpr int deflate_level = 4;  // h5py's

constexpr std::uint64_t superblock_bytes = 96;
constexpr std::uint64_t root_bytes = 40;
constexpr std::uint64_t tree_head_bytes = 24;
constexpr std::uint64_t heap_head_bytes = 32;
constexpr std::uint64_t group_node_bytes =
    tree_head_bytes + group_node_children * 8 + (group_node_children + 1) * 8;
constexpr std::uint64_t symbol_bytes = 40;

/// Bytes that grow at their end; little-endian.
class Hdf5Bytes {
 public:
  std::uint64_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }

  Hdf5Bytes& put(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 255);
    return *this;
  }
  Hdf5Bytes& put(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  Hdf5Bytes& zeros_until(std::uint64_t size) {
    TRAINMARK_ASSERT(size >= bytes_.size());
    bytes_.resize(size, '\0');
    return *this;
  }
  Hdf5Bytes& align() { return zeros_until((size() + 7) / 8 * 8); }

 private:
  std::string bytes_;
};

struct WrittenChunk {
  std::uint64_t address;
  std::uint64_t bytes;
  std::uint64_t row;
};

class Hdf5Builder {
 public:
  Hdf5Builder(std::vector<Hdf5Column> columns, Hdf5Packing packing)
      : columns_(std::move(columns)), packing_(packing) {
    TRAINMARK_ASSERT(columns_.size() <= group_leaf_symbols);
    std::ranges::sort(columns_, {}, &Hdf5Column::name);  // as readers look names up
  }

  std::string build() {
    Hdf5Bytes names;
    names.put(0, 8);  // the name of the group
    std::vector<std::uint64_t> name_places;
    for (const Hdf5Column& column : columns_) {
      name_places.push_back(names.size());
      names.put(column.name).put(0, 1).align();
    }
    const std::uint64_t tree = superblock_bytes + root_bytes;
    const std::uint64_t heap = tree + group_node_bytes;
    const std::uint64_t symbols = heap + heap_head_bytes + names.size();

    file_.zeros_until(symbols + 8 + group_leaf_symbols * symbol_bytes);
    std::vector<std::uint64_t> headers;
    for (const Hdf5Column& column : columns_) headers.push_back(add(column));

    // What is in front needs the places of what is behind.
    Hdf5Bytes front;
    put_superblock(front, tree, heap);
    front.put(1, 2).put(1, 2).put(1, 4).put(24, 8);                     // header of the root group
    front.put(0x11, 2).put(16, 2).put(0, 4).put(tree, 8).put(heap, 8);  // its symbol table
    front.put("TREE").put(0, 2).put(1, 2).put(written_nowhere, 8).put(written_nowhere, 8);
    front.put(0, 8).put(symbols, 8).put(name_places.back(), 8).zeros_until(heap);
    constexpr std::uint64_t nothing_free = 1;
    front.put("HEAP").put(0, 4).put(names.size(), 8).put(nothing_free, 8);
    front.put(heap + heap_head_bytes, 8).put(names.bytes());
    front.put("SNOD").put(1, 2).put(columns_.size(), 2);
    for (std::size_t i = 0; i < columns_.size(); ++i)
      front.put(name_places[i], 8).put(headers[i], 8).put(0, 8).put(0, 8).put(0, 8);
    return front.bytes() + file_.bytes().substr(front.size());
  }

 private:
  void put_superblock(Hdf5Bytes& front, std::uint64_t tree, std::uint64_t heap) const {
    front.put("\x89HDF\r\n\x1a\n").put(0, 5).put(8, 1).put(8, 1).put(0, 1);
    front.put(group_leaf_symbols / 2, 2).put(group_node_children / 2, 2).put(0, 4);
    front.put(0, 8).put(written_nowhere, 8).put(file_.size(), 8).put(written_nowhere, 8);
    constexpr std::uint64_t tree_and_heap_follow = 1;
    front.put(0, 8).put(superblock_bytes, 8).put(tree_and_heap_follow, 8).put(tree, 8).put(heap, 8);
  }

  /// Adds a dataset behind what is there; returns the place of its header.
  std::uint64_t add(const Hdf5Column& column) {
    const bool chunked = packing_ == Hdf5Packing::deflated;
    const std::uint64_t chunk_rows = std::min(
        column.rows(), std::max(fewest_chunk_rows,
                                (column.rows() + chunk_node_children - 1) / chunk_node_children));
    std::uint64_t place = file_.size();
    if (chunked) {
      place = put_tree(column, put_chunks(column, chunk_rows), chunk_rows);
    } else {
      file_.put({reinterpret_cast<const char*>(column.numbers.data()), column.numbers.size()});
      file_.align();
    }

    const int rank = column.width == 0 ? 1 : 2;
    Hdf5Bytes messages;
    begin_message(messages, 0x01, 8 + 8 * static_cast<std::uint64_t>(rank));
    messages.put(1, 1).put(static_cast<std::uint64_t>(rank), 1).put(0, 6).put(column.rows(), 8);
    if (rank == 2) messages.put(column.width, 8);
    begin_message(messages, 0x03, 16);
    constexpr std::uint64_t whole_number = 0x10, with_sign = 8;
    messages.put(whole_number, 1).put(with_sign, 3).put(column.element_bytes, 4);
    messages.put(0, 2).put(8 * column.element_bytes, 2).put(0, 4);
    begin_message(messages, 0x05, 8);  // what is read where nothing was written: zeros
    messages.put(2, 1).put(chunked ? 3 : 2, 1).put(2, 1).put(1, 1).put(0, 4);
    if (chunked) {
      begin_message(messages, 0x0b, 32);
      messages.put(1, 1).put(1, 1).put(0, 6);
      messages.put(1, 2).put(8, 2).put(1, 2).put(1, 2).put("deflate").put(0, 1);
      messages.put(deflate_level, 4).put(0, 4);
    }
    begin_message(messages, 0x08, 24);
    messages.put(3, 1).put(chunked ? 2 : 1, 1);
    if (chunked) {
      messages.put(static_cast<std::uint64_t>(rank) + 1, 1).put(place, 8).put(chunk_rows, 4);
      if (rank == 2) messages.put(column.width, 4);
      messages.put(column.element_bytes, 4);
    } else {
      messages.put(place, 8).put(column.numbers.size(), 8);
    }
    messages.align();

    const std::uint64_t header = file_.size();
    file_.put(1, 2).put(chunked ? 5 : 4, 2).put(1, 4).put(messages.size(), 8);
    file_.put(messages.bytes());
    return header;
  }

  static void begin_message(Hdf5Bytes& messages, std::uint64_t type, std::uint64_t bytes) {
    messages.put(type, 2).put(bytes, 2).put(0, 4);
  }

  std::vector<WrittenChunk> put_chunks(const Hdf5Column& column, std::uint64_t chunk_rows) {
    std::vector<WrittenChunk> chunks;
    Bytes plain(chunk_rows * column.row_bytes());
    Bytes packed(::compressBound(plain.size()));
    for (std::uint64_t row = 0; row < column.rows(); row += chunk_rows) {
      const auto begin =
          column.numbers.begin() + static_cast<std::ptrdiff_t>(row * column.row_bytes());
      const std::uint64_t rows = std::min(chunk_rows, column.rows() - row);
      const auto end = begin + static_cast<std::ptrdiff_t>(rows * column.row_bytes());
      std::fill(std::copy(begin, end, plain.begin()), plain.end(), std::uint8_t{0});
      uLongf bytes = packed.size();
      const int outcome =
          ::compress2(packed.data(), &bytes, plain.data(), plain.size(), deflate_level);
      TRAINMARK_ASSERT(outcome == Z_OK);
      chunks.push_back({file_.size(), bytes, row});
      file_.put({reinterpret_cast<const char*>(packed.data()), bytes});
    }
    file_.align();
    return chunks;
  }

  /// One leaf: chunks are made large enough for it.
  std::uint64_t put_tree(const Hdf5Column& column, const std::vector<WrittenChunk>& chunks,
                         std::uint64_t chunk_rows) {
    TRAINMARK_ASSERT(chunks.size() <= chunk_node_children);
    const std::uint64_t place = file_.size();
    const std::uint64_t key_bytes = column.width == 0 ? 24 : 32;
    file_.put("TREE").put(1, 2).put(chunks.size(), 2);
    file_.put(written_nowhere, 8).put(written_nowhere, 8);
    const auto put_key = [&](std::uint64_t bytes, std::uint64_t row, std::uint64_t columns) {
      file_.put(bytes, 8).put(row, 8);
      if (column.width != 0) file_.put(columns, 8);
      file_.put(0, 8);
    };
    for (const WrittenChunk& chunk : chunks) {
      put_key(chunk.bytes, chunk.row, 0);
      file_.put(chunk.address, 8);
    }
    put_key(0, chunks.size() * chunk_rows, column.width);
    file_.zeros_until(place + tree_head_bytes + chunk_node_children * 8 +
                      (chunk_node_children + 1) * key_bytes);
    return place;
  }

  std::vector<Hdf5Column> columns_;
  Hdf5Packing packing_;
  Hdf5Bytes file_;
};

}  // namespace

std::string make_hdf5(std::vector<Hdf5Column> columns, Hdf5Packing packing) {
  return Hdf5Builder(std::move(columns), packing).build();
}

}  // namespace trainmark::data
