#include "base/generator.h"

#include <bit>

namespace trainmark {
namespace {

constexpr std::uint32_t key_parity = 0x1BD11BDA;  // of Skein's key schedule
constexpr std::array<int, 8> threefry_rotations = {13, 15, 26, 6, 17, 29, 16, 24};
constexpr int threefry_rounds = 20;

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}

std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

}  // namespace

std::array<std::uint32_t, 2> threefry2x32(std::array<std::uint32_t, 2> key,
                                          std::array<std::uint32_t, 2> counter) {
  const std::array<std::uint32_t, 3> schedule = {key[0], key[1], key_parity ^ key[0] ^ key[1]};
  std::uint32_t x = counter[0] + schedule[0];
  std::uint32_t y = counter[1] + schedule[1];
  for (unsigned round = 0; round < threefry_rounds; ++round) {
    x += y;
    y = std::rotl(y, threefry_rotations[round % 8]) ^ x;
    if (round % 4 == 3) {  // after every fourth round the key goes in again
      const unsigned injection = round / 4 + 1;
      x += schedule[injection % 3];
      y += schedule[(injection + 1) % 3] + injection;
    }
  }
  return {x, y};
}

Generator::Generator(std::uint64_t seed, std::string_view name) {
  const std::uint64_t hash = fnv1a(name);
  key_ = {low(hash) ^ low(seed), high(hash) ^ high(seed)};
}

std::uint32_t Generator::word(std::uint64_t index) const {
  return threefry2x32(key_, {low(index), high(index)})[0];
}

float Generator::uniform(std::uint64_t index) const {
  return static_cast<float>(word(index) >> 8) * 0x1p-24F;
}

float Generator::symmetric(std::uint64_t index, float bound) const {
  return (uniform(index) - 0.5F) * (2 * bound);
}

std::int64_t Generator::integer(std::uint64_t index, std::int64_t n) const {
  return static_cast<std::int64_t>((std::uint64_t{word(index)} * static_cast<std::uint64_t>(n)) >>
                                   32);
}

}  // namespace trainmark
