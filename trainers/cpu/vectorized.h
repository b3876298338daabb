#pragma once

/// A function that is compiled for several widths of vector registers; the widest that the machine
/// has is chosen when the program starts. (AddressSanitizer is not ready yet at that moment.)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define TRAINMARK_VECTORIZED \
  __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define TRAINMARK_VECTORIZED
#endif

/// Before a loop whose stores change nothing that it reads later.
#ifdef __clang__
#define TRAINMARK_NO_OVERLAP _Pragma("clang loop vectorize(assume_safety)")
#else
#define TRAINMARK_NO_OVERLAP _Pragma("GCC ivdep")
#endif
