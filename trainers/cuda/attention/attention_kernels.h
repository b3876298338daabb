#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "cuda/support/element_type.h"
#include "cuda/support/random.h"

// Attention over short sequences: softmax(q kᵀ / √64) v for each sequence and head. No LibTorch
// here, so that nvcc reads little.

namespace trainmark::train {

constexpr int attention_head_width = 64;
constexpr int attention_most_tokens = 128;

struct AttentionProblem {
  ElementType type = ElementType::float16;  // float32 has no kernel
  int sequences = 0;
  int heads = 0;
  int queries = 0;                // of a sequence; at most 128
  int keys = 0;                   // at most 128
  std::int64_t query_stride = 0;  // from token to token, in elements: a multiple of 8
  std::int64_t key_stride = 0;    // the same for keys and values
  bool causal = false;            // a query sees no later key
  float dropout = 0;
  cudaStream_t stream = nullptr;
};

/// Tokens lie [sequences, tokens, heads, 64] with the strides above; results and their gradient are
/// contiguous.
struct AttentionForward {
  const void* query = nullptr;
  const void* key = nullptr;
  const void* value = nullptr;
  RandomState random;
  std::uint32_t* kept = nullptr;  // out, with dropout: a bit for each weight
  void* result = nullptr;
};

/// Nothing but the inputs is kept for it: a warp makes the weights of its queries again.
struct AttentionBackward {
  const void* query = nullptr;
  const void* key = nullptr;
  const void* value = nullptr;
  const void* gradient = nullptr;  // of the result
  const std::uint32_t* kept = nullptr;
  void* query_gradient = nullptr;  // these with the strides of the inputs
  void* key_gradient = nullptr;
  void* value_gradient = nullptr;
};

std::size_t attention_kept_words(const AttentionProblem& problem);
void attention_forward(const AttentionProblem& problem, const AttentionForward& arguments);
void attention_backward(const AttentionProblem& problem, const AttentionBackward& arguments);

}  // namespace trainmark::train
