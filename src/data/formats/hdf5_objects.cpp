#include "data/formats/hdf5_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace trainmark::data {

namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
constexpr std::size_t most_messages = 4096;
constexpr std::size_t most_links = 4096;
constexpr std::size_t most_header_blocks = 64;
constexpr std::uint64_t deepest_group_tree = 8;

struct Hdf5Block {
  std::uint64_t address;
  std::uint64_t bytes;
};

/// The messages of one block of a header. Continuations are put behind the blocks to be read.
void read_messages(const InputFile& file, Hdf5Cursor block, bool compact, bool numbered,
                   std::vector<Hdf5Message>& messages, std::vector<Hdf5Block>& blocks) {
  const std::uint64_t head = compact ? (numbered ? 6 : 4) : 8;
  while (block.left() >= head) {
    const auto type = static_cast<std::uint16_t>(block.number(compact ? 1 : 2));
    const std::uint64_t bytes = block.number(2);
    const std::uint64_t flags = block.number(1);
    block.skip(head - (compact ? 4 : 5));
    Hdf5Cursor body = block.part(bytes);
    if (type == Hdf5Message::continuation) {
      const std::uint64_t address = body.address();
      blocks.push_back({address, body.number(8)});
      continue;
    }
    constexpr std::uint64_t shared = 2;
    const bool needed = type == Hdf5Message::dataspace || type == Hdf5Message::datatype ||
                        type == Hdf5Message::layout || type == Hdf5Message::filters;
    if (needed && (flags & shared) != 0)
      refuse_hdf5(file, "its datasets share their descriptions, such as a named type");
    messages.push_back({type, body});
    if (messages.size() > most_messages) refuse_hdf5(file, "an object has too many messages");
  }
}

/// Of files that were written for releases before 1.8, as h5py does unless asked otherwise.
std::vector<Hdf5Message> read_old_object(const InputFile& file, std::uint64_t address) {
  constexpr std::uint64_t prefix = 16;
  Hdf5Cursor head(file, address, prefix);
  head.skip(8);  // version, count of messages, count of references
  std::vector<Hdf5Block> blocks = {{address + prefix, head.number(4)}};
  std::vector<Hdf5Message> messages;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i >= most_header_blocks) refuse_hdf5(file, "an object has too many continuations");
    read_messages(file, {file, blocks[i].address, blocks[i].bytes}, false, false, messages, blocks);
  }
  return messages;
}

std::vector<Hdf5Message> read_new_object(const InputFile& file, std::uint64_t address) {
  constexpr std::uint64_t largest_prefix = 34;
  const std::uint64_t prefix = std::min(largest_prefix, file.size() - address);
  Hdf5Cursor head(file, address, prefix);
  head.expect("OHDR");
  if (head.number(1) != 2) refuse_hdf5(file, "an object has an unknown version");
  const std::uint64_t flags = head.number(1);
  if ((flags & 32) != 0) head.skip(16);  // times
  if ((flags & 16) != 0) head.skip(4);   // when attributes are stored elsewhere
  const std::uint64_t first_bytes = head.number(1 << (flags & 3));
  const std::uint64_t begin = address + prefix - head.left();

  constexpr std::uint64_t checksum =
      4;  // of the blocks behind the first, which has none of its own
  std::vector<Hdf5Block> blocks = {{begin, first_bytes}};
  std::vector<Hdf5Message> messages;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i >= most_header_blocks) refuse_hdf5(file, "an object has too many continuations");
    Hdf5Cursor block(file, blocks[i].address, blocks[i].bytes);
    if (i > 0) {
      block.expect("OCHK");
      block = block.part(block.left() - std::min(checksum, block.left()));
    }
    read_messages(file, block, true, (flags & 4) != 0, messages, blocks);
  }
  return messages;
}

/// Groups of old files: a tree whose leaves list names, which lie in a heap.
class SymbolTable {
 public:
  SymbolTable(const InputFile& file, std::uint64_t heap_address) : file_(file) {
    Hdf5Cursor heap(file, heap_address, 32);
    heap.expect("HEAP");
    heap.skip(4);
    heap_bytes_ = heap.number(8);
    heap.skip(8);
    names_ = heap.address();
  }

  void read_tree(std::uint64_t address, std::uint64_t deepest) {
    if (!seen_.insert(address).second) refuse_hdf5(file_, "its group's tree contains a cycle");
    Hdf5Cursor node(file_, address, 24);
    node.expect("TREE");
    if (node.number(1) != 0) refuse_hdf5(file_, "its group's tree is of the wrong kind");
    const std::uint64_t level = node.number(1);
    if (level > deepest) refuse_hdf5(file_, "its group's tree is too deep");
    const std::uint64_t used = node.number(2);
    Hdf5Cursor entries(file_, address + 24, used * 16);
    for (std::uint64_t i = 0; i < used; ++i) {
      entries.skip(8);  // a name that divides
      const std::uint64_t child = entries.address();
      if (level > 0)
        read_tree(child, level - 1);
      else
        read_leaf(child);
    }
  }

  std::map<std::string, std::uint64_t> links() && { return std::move(links_); }

 private:
  void read_leaf(std::uint64_t address) {
    if (!seen_.insert(address).second) refuse_hdf5(file_, "its group's tree contains a cycle");
    Hdf5Cursor head(file_, address, 8);
    head.expect("SNOD");
    head.skip(2);
    const std::uint64_t symbols = head.number(2);
    constexpr std::uint64_t entry = 40;
    Hdf5Cursor entries(file_, address + 8, symbols * entry);
    for (std::uint64_t i = 0; i < symbols; ++i) {
      const std::uint64_t name = entries.number(8);
      const std::uint64_t object = entries.address();
      entries.skip(entry - 16);
      if (object == hdf5_nowhere) continue;  // a symbolic link
      if (links_.size() >= most_links) refuse_hdf5(file_, "its root group is too large");
      links_.emplace(name_at(name), object);
    }
  }

  std::string name_at(std::uint64_t offset) const {
    constexpr std::uint64_t longest_name = 256;
    if (offset >= heap_bytes_) refuse_hdf5(file_, "a name lies outside of its group");
    return Hdf5Cursor(file_, names_ + offset, std::min(longest_name, heap_bytes_ - offset))
        .text_until_null();
  }

  const InputFile& file_;
  std::uint64_t heap_bytes_ = 0;
  std::uint64_t names_ = 0;
  std::set<std::uint64_t> seen_;
  std::map<std::string, std::uint64_t> links_;
};

/// Groups of many links keep them in an index of their own.
void refuse_indexed_links(const InputFile& file, Hdf5Cursor body) {
  body.skip(1);
  if ((body.number(1) & 1) != 0) body.skip(8);
  if (body.address() != hdf5_nowhere)
    refuse_hdf5(file, "its root group has an index; write it without libver='latest'");
}

/// A link of a new group: its name, and where it leads. Symbolic ones lead nowhere.
std::pair<std::string, std::uint64_t> read_link(const InputFile& file, Hdf5Cursor body) {
  if (body.number(1) != 1) refuse_hdf5(file, "a link has an unknown version");
  const std::uint64_t flags = body.number(1);
  const std::uint64_t type = (flags & 8) != 0 ? body.number(1) : 0;
  if ((flags & 4) != 0) body.skip(8);   // order of creation
  if ((flags & 16) != 0) body.skip(1);  // character set
  const std::uint64_t name_bytes = body.number(1 << (flags & 3));
  const std::string name = body.text(name_bytes);
  return {name, type == 0 ? body.address() : hdf5_nowhere};
}

std::uint64_t root_address(const InputFile& file) {
  constexpr std::uint64_t longest_superblock = 100;
  Hdf5Cursor head(file, 0, std::min(longest_superblock, file.size()));
  if (head.left() < hdf5_signature.size() || head.text(hdf5_signature.size()) != hdf5_signature)
    refuse_hdf5(file, "it does not begin as one");
  const std::uint64_t version = head.number(1);
  if (version > 3) refuse_hdf5(file, fmt::format("its version {} is unknown", version));
  if (version < 2) head.skip(4);
  const std::uint64_t offset_bytes = head.number(1);
  const std::uint64_t length_bytes = head.number(1);
  if (offset_bytes != 8 || length_bytes != 8)
    refuse_hdf5(file, fmt::format("its addresses have {} bytes and its lengths {}, instead of 8",
                                  offset_bytes, length_bytes));
  head.skip(version >= 2 ? 1 : version == 1 ? 13 : 9);
  if (head.address() != 0) refuse_hdf5(file, "its addresses do not count from its beginning");
  head.skip(8);
  const std::uint64_t end = head.address();
  if (end > file.size())
    refuse_hdf5(file, fmt::format("it has {} of its {} bytes", file.size(), end));
  if (version < 2) head.skip(16);
  return head.address();
}

}  // namespace

std::vector<Hdf5Message> read_hdf5_object(const InputFile& file, std::uint64_t address) {
  const std::uint64_t first = Hdf5Cursor(file, address, 1).number(1);
  if (first == 1) return read_old_object(file, address);
  return read_new_object(file, address);
}

std::map<std::string, std::uint64_t> read_hdf5_root(const InputFile& file) {
  std::map<std::string, std::uint64_t> links;
  for (Hdf5Message& message : read_hdf5_object(file, root_address(file))) {
    if (message.type == Hdf5Message::symbol_table) {
      const std::uint64_t tree = message.body.address();
      SymbolTable table(file, message.body.address());
      table.read_tree(tree, deepest_group_tree);
      return std::move(table).links();
    }
    if (message.type == Hdf5Message::link_info) refuse_indexed_links(file, message.body);
    if (message.type == Hdf5Message::link) links.insert(read_link(file, message.body));
  }
  return links;
}

}  // namespace trainmark::data
