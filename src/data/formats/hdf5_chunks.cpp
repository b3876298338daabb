#include "data/formats/hdf5_chunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/formats/hdf5_cursor.h"

namespace trainmark::data {

namespace {

constexpr std::uint64_t deepest_chunk_tree = 8;

/// Version 1 of B-trees: nodes of keys and addresses by turns.
class ChunkTree {
 public:
  ChunkTree(const InputFile& file, const Hdf5Grid& grid) : file_(file), grid_(grid) {
    // Every chunk has an entry of this size in the tree: a file cannot have more.
    if (grid.across() > file.size() / entry_bytes() ||
        grid.down() > file.size() / entry_bytes() / grid.across())
      refuse_hdf5(file, fmt::format("a dataset claims {} times {} chunks, more than fit into it",
                                    grid.down(), grid.across()));
    chunks_.resize(grid.down() * grid.across());
  }

  void read(std::uint64_t address, std::uint64_t deepest) {
    if (!seen_.insert(address).second) refuse_hdf5(file_, "a tree of chunks contains a cycle");
    constexpr std::uint64_t head_bytes = 24;
    Hdf5Cursor head(file_, address, head_bytes);
    head.expect("TREE");
    if (head.number(1) != 1) refuse_hdf5(file_, "a tree of chunks is of the wrong kind");
    const std::uint64_t level = head.number(1);
    if (level > deepest) refuse_hdf5(file_, "a tree of chunks is too deep");
    const std::uint64_t used = head.number(2);
    Hdf5Cursor entries(file_, address + head_bytes, used * entry_bytes());
    for (std::uint64_t i = 0; i < used; ++i) {
      Hdf5Chunk chunk;
      chunk.bytes = static_cast<std::uint32_t>(entries.number(4));
      chunk.skipped_filters = static_cast<std::uint32_t>(entries.number(4));
      const std::uint64_t row = entries.number(8);
      const std::uint64_t column = grid_.rank == 2 ? entries.number(8) : 0;
      entries.skip(8);  // place within an element
      chunk.address = entries.address();
      if (level > 0)
        read(chunk.address, level - 1);
      else
        place(chunk, row, column);
    }
  }

  std::vector<Hdf5Chunk> chunks() && {
    const auto missing =
        std::ranges::count_if(chunks_, [](const Hdf5Chunk& chunk) { return chunk.address == 0; });
    if (missing > 0)
      refuse_hdf5(file_, fmt::format("{} of the {} chunks of a dataset are missing", missing,
                                     chunks_.size()));
    return std::move(chunks_);
  }

 private:
  std::uint64_t entry_bytes() const { return 8 * static_cast<std::uint64_t>(grid_.rank + 3); }

  void place(const Hdf5Chunk& chunk, std::uint64_t row, std::uint64_t column) {
    if (row >= grid_.rows || column >= grid_.width || row % grid_.chunk_rows != 0 ||
        column % grid_.chunk_width != 0)
      refuse_hdf5(file_, fmt::format("a chunk at row {}, column {} of a dataset", row, column));
    if (chunk.address == 0 || chunk.address > file_.size() ||
        chunk.bytes > file_.size() - chunk.address)
      refuse_hdf5(file_, fmt::format("a chunk of {} bytes at byte {} of {}", chunk.bytes,
                                     chunk.address, file_.size()));
    bytes_ += chunk.bytes;
    Hdf5Chunk& there =
        chunks_[row / grid_.chunk_rows * grid_.across() + column / grid_.chunk_width];
    if (there.address != 0 || bytes_ > file_.size())
      refuse_hdf5(file_, "chunks of a dataset overlap");
    there = chunk;
  }

  const InputFile& file_;
  const Hdf5Grid& grid_;
  std::vector<Hdf5Chunk> chunks_;
  std::set<std::uint64_t> seen_;  // nodes
  std::uint64_t bytes_ = 0;       // of all chunks
};

}  // namespace

std::vector<Hdf5Chunk> read_hdf5_chunks(const InputFile& file, std::uint64_t tree,
                                        const Hdf5Grid& grid) {
  ChunkTree reader(file, grid);
  reader.read(tree, deepest_chunk_tree);
  return std::move(reader).chunks();
}

}  // namespace trainmark::data
