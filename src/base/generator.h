#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace trainmark {

/// Threefry2x32 with 20 rounds: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
/// 1, 2, 3", SC 2011.
std::array<std::uint32_t, 2> threefry2x32(std::array<std::uint32_t, 2> key,
                                          std::array<std::uint32_t, 2> counter);

/// The numbers of one tensor. Each depends on (seed, name of the tensor, index of the element) and
/// on nothing else, so that every framework, device and number of threads makes the same ones:
///
///   hash    = 64-bit FNV-1a of the name's bytes (offset 0xcbf29ce484222325, prime 0x100000001b3)
///   key     = (low 32 bits of hash XOR low 32 bits of seed,
///              high 32 bits of hash XOR high 32 bits of seed)
///   counter = (low 32 bits of index, high 32 bits of index)
///   word    = first word of threefry2x32(key, counter)
///
/// `index` counts the elements in row-major order, whatever the order in memory.
class Generator {
 public:
  Generator(std::uint64_t seed, std::string_view name);

  std::uint32_t word(std::uint64_t index) const;

  /// In [0, 1): (word >> 8) × 2⁻²⁴, which a float holds exactly.
  float uniform(std::uint64_t index) const;

  /// In [-bound, bound): (uniform − 0.5) × (2 × bound), in floats. Only the last product rounds, so
  /// that the bits are the same wherever floats are IEEE.
  float symmetric(std::uint64_t index, float bound) const;

  /// In [0, n): (word × n) >> 32 in 64 bits. `n` is at most 2³².
  std::int64_t integer(std::uint64_t index, std::int64_t n) const;

 private:
  std::array<std::uint32_t, 2> key_;
};

}  // namespace trainmark
