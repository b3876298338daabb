#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace trainmark {

inline constexpr std::size_t tar_block = 512;
inline constexpr std::size_t tar_name_bytes = 100;  // that the field for names holds

/// What is missing to whole blocks behind so many bytes.
inline constexpr std::size_t tar_padding(std::uint64_t size) {
  return (tar_block - size % tar_block) % tar_block;
}

/// The head of an entry as POSIX.1-1988 (ustar) wants it: texts and octal digits at fixed places.
/// `kind`: '0' for a file, 'x' for a record about the next entry.
std::string tar_head(const std::string& name, char kind, std::size_t size, std::int64_t time);

/// "28 path=a/very/long/name\n", the content of a record that names the next entry: its own length
/// stands in front.
std::string pax_path(const std::string& name);

}  // namespace trainmark
