#pragma once

#include "cuda/support/random.h"

namespace trainmark::train {

/// The share that is kept, in 65536ths, and what the kept ones are multiplied by.
struct Dropout {
  __host__ __device__ explicit Dropout(float rate)
      : threshold(static_cast<unsigned>((1 - rate) * 65536 + 0.5F)),
        scale(65536.0F / static_cast<float>(threshold)) {}

  unsigned threshold;
  float scale;
};

/// Four numbers of the generator Philox4x32-10 (Salmon et al. 2011), which LibTorch's and curand's
/// are, too. curand's own functions compute each of them twice: once to set up their state.
__device__ inline uint4 philox(std::uint64_t seed, std::uint64_t sequence, std::uint64_t offset) {
  uint4 counter =
      make_uint4(static_cast<unsigned>(offset), static_cast<unsigned>(offset >> 32),
                 static_cast<unsigned>(sequence), static_cast<unsigned>(sequence >> 32));
  unsigned key_low = static_cast<unsigned>(seed);
  unsigned key_high = static_cast<unsigned>(seed >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = static_cast<std::uint64_t>(0xD2511F53U) * counter.x;
    const std::uint64_t second = static_cast<std::uint64_t>(0xCD9E8D57U) * counter.z;
    counter = make_uint4(
        static_cast<unsigned>(second >> 32) ^ counter.y ^ key_low, static_cast<unsigned>(second),
        static_cast<unsigned>(first >> 32) ^ counter.w ^ key_high, static_cast<unsigned>(first));
    key_low += 0x9E3779B9U;
    key_high += 0xBB67AE85U;
  }
  return counter;
}

/// Which of up to eight elements dropout keeps: bit i is element i. A number of 16 bits decides for
/// each; those of one `sequence` are drawn once.
template <int size>
__device__ unsigned draw(const RandomState& random, std::int64_t sequence, unsigned threshold) {
  const auto seed =
      random.seed_at != nullptr ? static_cast<std::uint64_t>(*random.seed_at) : random.seed;
  const auto offset =
      random.offset +
      (random.offset_at != nullptr ? static_cast<std::uint64_t>(*random.offset_at) : 0);
  const uint4 words = philox(seed, static_cast<std::uint64_t>(sequence), offset);
  const unsigned numbers[4] = {words.x, words.y, words.z, words.w};
  unsigned kept = 0;
#pragma unroll
  for (int i = 0; i < size; ++i) {
    const unsigned number = (numbers[i / 2] >> (16 * (i % 2))) & 0xffffU;
    kept |= static_cast<unsigned>(number < threshold) << i;
  }
  return kept;
}

}  // namespace trainmark::train
