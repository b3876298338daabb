#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/formats/file_window.h"
#include "data/pictures/picture.h"

namespace trainmark::data {

/// A record of MXNet's picture files: labels, then the bytes of a picture.
struct RecordIoHead {
  std::vector<float> labels;
  std::size_t bytes = 0;  // of the head: the picture begins behind it
};

/// Where the records of a RecordIO file begin, in the order of their keys. From the file `.idx`
/// beside it, or else from one length to the next. Throws UserError with path and line or byte
/// where nothing more can be found; the last record may be cut off.
std::vector<std::uint64_t> find_recordio_records(const InputFile& file);

/// The record at a place, put together where it is in several parts. Throws BadItem.
void read_recordio_record(const InputFile& file, std::uint64_t begin, Bytes& record);

/// The first bytes of a record, and the length of its first part.
struct RecordBeginning {
  BytesView bytes;  // until the window is moved
  std::uint64_t whole = 0;
};

/// For those who only want its head, so many bytes at most. Throws BadItem.
RecordBeginning see_recordio_beginning(FileWindow& window, std::uint64_t begin, std::size_t most);

/// Takes the labels from the beginning of a record. Throws BadItem where they are not whole.
void read_recordio_head(BytesView record, RecordIoHead& head);

/// A record as it stands in such a file: in several parts where it contains the mark that parts
/// begin with.
Bytes frame_recordio_record(BytesView record);

/// A picture with one label, as MXNet's `recordio.pack` makes it.
Bytes pack_recordio(float label, std::uint64_t id, BytesView picture);

}  // namespace trainmark::data
