#include "data/formats/hdf5_cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/data_set.h"

namespace trainmark::data {

void refuse_hdf5(const InputFile& file, const std::string& why) {
  throw UserError(fmt::format("{}: not an HDF5 file that can be read here: {}",
                              printable(file.path().string()), why));
}

Hdf5Cursor::Hdf5Cursor(const InputFile& file, std::uint64_t at, std::uint64_t bytes)
    : file_(&file), end_(bytes) {
  if (bytes > most_bytes || at > file.size() || bytes > file.size() - at)
    refuse_hdf5(file,
                fmt::format("it would take {} bytes at byte {} of {}", bytes, at, file.size()));
  auto block = std::make_shared<Bytes>(bytes);
  try {
    file.read(at, *block);
  } catch (const BadItem& bad) {
    refuse_hdf5(file, bad.what());
  }
  block_ = std::move(block);
}

void Hdf5Cursor::need(std::uint64_t bytes) const {
  if (bytes > left()) refuse_hdf5(*file_, "a part of its metadata ends early");
}

std::uint64_t Hdf5Cursor::number(int bytes) {
  need(static_cast<std::uint64_t>(bytes));
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i)
    value |= static_cast<std::uint64_t>((*block_)[at_ + static_cast<std::uint64_t>(i)]) << (8 * i);
  at_ += static_cast<std::uint64_t>(bytes);
  return value;
}

std::string Hdf5Cursor::text(std::uint64_t bytes) {
  need(bytes);
  const auto begin = block_->begin() + static_cast<std::ptrdiff_t>(at_);
  at_ += bytes;
  return {begin, begin + static_cast<std::ptrdiff_t>(bytes)};
}

std::string Hdf5Cursor::text_until_null() {
  const std::string rest = text(left());
  return rest.substr(0, rest.find('\0'));
}

void Hdf5Cursor::skip(std::uint64_t bytes) {
  need(bytes);
  at_ += bytes;
}

void Hdf5Cursor::expect(std::string_view signature) {
  if (text(signature.size()) != signature)
    refuse_hdf5(*file_, fmt::format("'{}' is missing where it should stand", signature));
}

Hdf5Cursor Hdf5Cursor::part(std::uint64_t bytes) {
  need(bytes);
  Hdf5Cursor result = *this;
  result.end_ = at_ + bytes;
  at_ += bytes;
  return result;
}

}  // namespace trainmark::data
