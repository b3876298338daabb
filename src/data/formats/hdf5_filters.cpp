#include "data/formats/hdf5_filters.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "data/formats/data_set.h"

namespace trainmark::data {

namespace {

constexpr std::uint64_t fletcher_bytes = 4;
constexpr std::uint64_t most_expansion = 1032;  // of deflate

std::string filter_name(std::uint64_t kind) {
  switch (kind) {
    case 4:
      return "szip";
    case 32000:
      return "lzf";
    case 32001:
      return "blosc";
    case 32004:
      return "lz4";
    case 32015:
      return "zstd";
    default:
      return fmt::format("filter {}", kind);
  }
}

/// As H5checksum.c has it: sums of big-endian pairs of bytes.
std::uint32_t fletcher32_of(BytesView bytes) {
  std::uint64_t first = 0, second = 0;
  const auto add = [&](std::uint64_t pair) {
    first = (first + pair) % 65535;
    second = (second + first) % 65535;
  };
  std::size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2)
    add(static_cast<std::uint64_t>(bytes[at]) << 8 | bytes[at + 1]);
  if (at < bytes.size()) add(static_cast<std::uint64_t>(bytes[at]) << 8);
  return static_cast<std::uint32_t>(second << 16 | first);
}

void check_fletcher32(Bytes& chunk) {
  if (chunk.size() < fletcher_bytes) throw BadItem("its chunk is too short for a checksum");
  std::uint32_t said = 0;
  for (std::size_t i = 0; i < fletcher_bytes; ++i)
    said |= static_cast<std::uint32_t>(chunk[chunk.size() - fletcher_bytes + i]) << (8 * i);
  chunk.resize(chunk.size() - fletcher_bytes);
  // 0 and 65535 are the same number here: HDF5 writes either.
  const std::uint32_t found = fletcher32_of(chunk);
  if ((said & 0xffff) % 65535 != (found & 0xffff) || (said >> 16) % 65535 != found >> 16)
    throw BadItem("the checksum of its chunk is wrong");
}

Bytes inflate_chunk(const Bytes& stored, std::uint64_t bytes) {
  // Before memory is taken for it.
  if (bytes / most_expansion > stored.size() + 1)
    throw BadItem("its chunk is too short for what it should unpack to");
  Bytes unpacked(bytes);
  uLongf got = bytes;
  const int outcome = ::uncompress(unpacked.data(), &got, stored.data(), stored.size());
  if (outcome != Z_OK || got != bytes) throw BadItem("its chunk cannot be unpacked");
  return unpacked;
}

/// The first bytes of all elements, then their second bytes, and so on.
Bytes unshuffle(const Bytes& shuffled, std::uint64_t element_bytes) {
  Bytes plain = shuffled;  // bytes behind the last whole element stay where they are
  const std::uint64_t elements = shuffled.size() / element_bytes;
  for (std::uint64_t byte = 0; byte < element_bytes; ++byte)
    for (std::uint64_t i = 0; i < elements; ++i)
      plain[i * element_bytes + byte] = shuffled[byte * elements + i];
  return plain;
}

}  // namespace

std::vector<Hdf5Filter> read_hdf5_filters(const InputFile& file, Hdf5Cursor body) {
  const std::uint64_t version = body.number(1);
  if (version != 1 && version != 2) refuse_hdf5(file, "its filters have an unknown version");
  const std::uint64_t count = body.number(1);
  if (version == 1) body.skip(6);
  std::vector<Hdf5Filter> filters;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto kind = static_cast<std::uint16_t>(body.number(2));
    if (kind < Hdf5Filter::deflate || kind > Hdf5Filter::fletcher32)
      refuse_hdf5(file, fmt::format("it is packed with {}; write it with compression='gzip'",
                                    filter_name(kind)));
    if (std::ranges::any_of(filters, [&](Hdf5Filter other) { return other.kind == kind; }))
      refuse_hdf5(file, "it has the same filter twice");
    const std::uint64_t name_bytes = version == 1 ? body.number(2) : 0;
    body.skip(2);  // flags
    const std::uint64_t values = body.number(2);
    body.skip(name_bytes);
    body.skip(4 * (version == 1 ? values + values % 2 : values));
    filters.push_back({kind});
  }
  return filters;
}

Bytes undo_hdf5_filters(const std::vector<Hdf5Filter>& filters, std::uint32_t skipped, Bytes stored,
                        std::uint64_t bytes, std::uint64_t element_bytes) {
  const auto applied = [&](std::size_t i) { return (skipped >> i & 1) == 0; };
  for (std::size_t i = filters.size(); i-- > 0;) {
    if (!applied(i)) continue;
    if (filters[i].kind == Hdf5Filter::fletcher32) {
      check_fletcher32(stored);
    } else if (filters[i].kind == Hdf5Filter::shuffle) {
      stored = unshuffle(stored, element_bytes);
    } else {
      std::uint64_t unpacked = bytes;
      for (std::size_t before = 0; before < i; ++before)
        if (applied(before) && filters[before].kind == Hdf5Filter::fletcher32)
          unpacked += fletcher_bytes;
      stored = inflate_chunk(stored, unpacked);
    }
  }
  if (stored.size() != bytes)
    throw BadItem(fmt::format("its chunk has {} bytes instead of {}", stored.size(), bytes));
  return stored;
}

}  // namespace trainmark::data
