#include "data/formats/hdf5_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"

namespace trainmark::data {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they are stored");

constexpr std::uint64_t most_rows = std::uint64_t{1} << 31;
constexpr std::uint64_t most_width = std::uint64_t{1} << 16;
constexpr std::uint64_t most_chunk_bytes = std::uint64_t{1} << 25;
constexpr std::uint64_t most_band_bytes = std::uint64_t{1} << 26;

template <class Number>
void widen_row(BytesView bytes, std::vector<std::int32_t>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    Number number = 0;
    std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
    if (!std::in_range<std::int32_t>(number))
      throw BadItem(fmt::format("{} at place {} is beyond 32 bits", number, i));
    to[i] = static_cast<std::int32_t>(number);  // NOLINT(bugprone-signed-char-misuse): a number
  }
}

}  // namespace

void Hdf5Array::refuse(const std::string& why) const {
  refuse_hdf5(file_, fmt::format("its '{}' {}", printable(name_), why));
}

Hdf5Array::Hdf5Array(const InputFile& file, const std::string& name, std::uint64_t address)
    : file_(file), name_(name) {
  const std::vector<Hdf5Message> messages = read_hdf5_object(file, address);
  const auto body_of = [&](Hdf5Message::Type type) {
    const auto found = std::ranges::find(messages, type, &Hdf5Message::type);
    if (found == messages.end()) refuse("is not a dataset");
    return found->body;
  };
  take_shape(body_of(Hdf5Message::dataspace));
  take_type(body_of(Hdf5Message::datatype));
  take_layout(body_of(Hdf5Message::layout));
  for (const Hdf5Message& message : messages)
    if (message.type == Hdf5Message::filters) filters_ = read_hdf5_filters(file, message.body);
  if (rows() > 0) check_layout();
}

void Hdf5Array::take_shape(Hdf5Cursor body) {
  const std::uint64_t version = body.number(1);
  const std::uint64_t rank = body.number(1);
  if (version != 1 && version != 2) refuse("has a shape of an unknown version");
  if (rank != 1 && rank != 2) refuse(fmt::format("has {} dimensions instead of 1 or 2", rank));
  body.skip(version == 1 ? 6 : 2);
  grid_.rank = static_cast<int>(rank);
  grid_.rows = body.number(8);
  grid_.width = rank == 2 ? body.number(8) : 1;
  if (grid_.rows > most_rows || grid_.width == 0 || grid_.width > most_width)
    refuse(fmt::format("claims {} rows of {} numbers; at most {} of {} are read", grid_.rows,
                       grid_.width, most_rows, most_width));
}

void Hdf5Array::take_type(Hdf5Cursor body) {
  const std::uint64_t kind = body.number(1) & 15;
  const std::uint64_t bits = body.number(3);
  const std::uint64_t bytes = body.number(4);
  if (kind != 0) refuse("holds no whole numbers");
  const std::uint64_t offset = body.number(2);
  const std::uint64_t precision = body.number(2);
  constexpr std::uint64_t big_endian = 1;
  if ((bits & big_endian) != 0 || offset != 0 || bytes > 8 || !std::has_single_bit(bytes) ||
      precision != 8 * bytes)
    refuse("holds numbers that are not little-endian ones of 8, 16, 32 or 64 bits");
  element_bytes_ = bytes;
  signed_ = (bits & 8) != 0;
}

void Hdf5Array::take_layout(Hdf5Cursor body) {
  const std::uint64_t version = body.number(1);
  const std::uint64_t kind = body.number(1);
  constexpr std::uint64_t in_one_piece = 1, in_chunks = 2;
  chunked_ = kind == in_chunks;
  if (version < 3 || version > 5 || (kind != in_one_piece && kind != in_chunks))
    refuse("is neither in one piece nor in chunks");
  if (chunked_ && version > 3)
    refuse("has chunks of the newest kind; write it without libver='latest'");
  if (!chunked_) {
    address_ = body.address();
    stored_bytes_ = body.number(8);
    return;
  }
  const std::uint64_t dimensions = body.number(1);  // and the bytes of an element
  address_ = body.address();
  grid_.chunk_rows = body.number(4);
  grid_.chunk_width = dimensions == 3 ? body.number(4) : 1;
  const std::uint64_t element_bytes = body.number(4);
  if (dimensions != static_cast<std::uint64_t>(grid_.rank) + 1 || element_bytes != element_bytes_ ||
      grid_.chunk_rows == 0 || grid_.chunk_width == 0)
    refuse("has chunks that do not match its shape");
}

void Hdf5Array::check_layout() {
  if (address_ == hdf5_nowhere) refuse("was never written");
  if (!chunked_) {
    const std::uint64_t bytes = rows() * row_bytes();  // neither limit lets this overflow
    if (stored_bytes_ < bytes || address_ > file_.size() || bytes > file_.size() - address_)
      refuse(fmt::format("takes {} bytes at byte {}, but the file has {}", bytes, address_,
                         file_.size()));
    return;
  }
  // Both numbers have 32 bits: the product has 64.
  if (grid_.chunk_rows * grid_.chunk_width > most_chunk_bytes / element_bytes_ ||
      std::min(rows(), grid_.chunk_rows) > most_band_bytes / row_bytes())
    refuse(fmt::format("has chunks of {} times {} numbers, which are too large", grid_.chunk_rows,
                       grid_.chunk_width));
  chunks_ = read_hdf5_chunks(file_, address_, grid_);
}

Bytes Hdf5Array::unpack_band(std::uint64_t band) const {
  const std::uint64_t band_rows = std::min(grid_.chunk_rows, rows() - band * grid_.chunk_rows);
  const std::uint64_t chunk_row_bytes = grid_.chunk_width * element_bytes_;
  Bytes result(band_rows * row_bytes());
  for (std::uint64_t across = 0; across < grid_.across(); ++across) {
    const Hdf5Chunk& chunk = chunks_[band * grid_.across() + across];
    if (chunk.bytes > 2 * most_chunk_bytes) throw BadItem("its chunk is too large");
    Bytes stored(chunk.bytes);
    file_.read(chunk.address, stored);
    const Bytes plain = undo_hdf5_filters(filters_, chunk.skipped_filters, std::move(stored),
                                          grid_.chunk_rows * chunk_row_bytes, element_bytes_);
    const std::uint64_t left = across * chunk_row_bytes;
    const std::uint64_t bytes = std::min(chunk_row_bytes, row_bytes() - left);
    for (std::uint64_t row = 0; row < band_rows; ++row)
      std::memcpy(result.data() + row * row_bytes() + left, plain.data() + row * chunk_row_bytes,
                  bytes);
  }
  return result;
}

void Hdf5Array::take_numbers(BytesView bytes, std::vector<std::int32_t>& to) const {
  switch (element_bytes_) {
    case 1:
      return signed_ ? widen_row<std::int8_t>(bytes, to) : widen_row<std::uint8_t>(bytes, to);
    case 2:
      return signed_ ? widen_row<std::int16_t>(bytes, to) : widen_row<std::uint16_t>(bytes, to);
    case 4:
      return signed_ ? widen_row<std::int32_t>(bytes, to) : widen_row<std::uint32_t>(bytes, to);
    default:
      return signed_ ? widen_row<std::int64_t>(bytes, to) : widen_row<std::uint64_t>(bytes, to);
  }
}

void Hdf5Array::read_row(std::uint64_t row, BandCache& cache, std::vector<std::int32_t>& to) const {
  TRAINMARK_ASSERT(row < rows());
  to.resize(width());
  if (!chunked_) {
    Bytes bytes(row_bytes());
    file_.read(address_ + row * row_bytes(), bytes);
    take_numbers(bytes, to);
    return;
  }
  const std::uint64_t band = row / grid_.chunk_rows;
  const auto bytes = cache.get({this, band}, [&] { return unpack_band(band); });
  const std::uint64_t at = (row - band * grid_.chunk_rows) * row_bytes();
  take_numbers(BytesView(*bytes).subspan(at, row_bytes()), to);
}

}  // namespace trainmark::data
