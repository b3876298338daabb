#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/formats/hdf5_cursor.h"
#include "data/formats/input_file.h"

namespace trainmark::data {

/// One statement of an object's header. What the numbers of types mean: "HDF5 File Format
/// Specification Version 3.0", IV.A.2.
struct Hdf5Message {
  enum Type : std::uint16_t {
    dataspace = 0x01,
    link_info = 0x02,
    datatype = 0x03,
    link = 0x06,
    layout = 0x08,
    filters = 0x0b,
    continuation = 0x10,
    symbol_table = 0x11,
  };
  std::uint16_t type;
  Hdf5Cursor body;
};

/// The statements that the object at this address makes of itself.
std::vector<Hdf5Message> read_hdf5_object(const InputFile& file, std::uint64_t address);

/// Where the objects of the file's root group lie, by name. Groups below it are not looked into.
/// Throws UserError where this is no HDF5 file, or one of a kind that is not read here.
std::map<std::string, std::uint64_t> read_hdf5_root(const InputFile& file);

constexpr std::uint64_t hdf5_nowhere = ~std::uint64_t{0};  // the address of what is not there

}  // namespace trainmark::data
