#pragma once

#include <fmt/format.h>

#include <string>

namespace trainmark {

/// A long log as PaddleClas prints it, in one run: about 190 bytes a line.
inline std::string paddleclas_log(std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 256);
  for (int i = 0; text.size() < bytes; ++i) {
    const double wobble = 0.001 * (i * 7919 % 97);
    fmt::format_to(
        std::back_inserter(text),
        "[2024/01/02 {:02}:{:02}:{:02}] ppcls INFO: epoch:{}   train step:{:<7} lr: 0.100000, "
        "loss:  {:.4f} top1:  0.0000 top5:  0.0078 batch_cost: {:.5f} s, reader_cost: "
        "0.00057 s, ips: {:.5f} samples/sec.\n",
        i / 3600 % 24, i / 60 % 60, i % 60, i / 5000, i % 5000 * 10, 6.9 - wobble,
        0.65 + wobble / 10, 393.8 - wobble);
  }
  return text;
}

/// The same as PLSC prints it: about 110 bytes a line.
inline std::string plsc_log(std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 256);
  for (int i = 0; text.size() < bytes; ++i) {
    const double wobble = 0.01 * (i * 7919 % 97);
    fmt::format_to(
        std::back_inserter(text),
        "INFO 2024-01-02 {:02}:{:02}:{:02},123 entry.py:512] Pass:{} batch:{} lr:0.1 loss:{:.5f} "
        "qps:{:.2f} acc1:0.00000 acc5:0.00010\n",
        i / 3600 % 24, i / 60 % 60, i % 60, i / 5000, i % 5000 * 10, 39.9 - wobble,
        2548.2 - wobble);
  }
  return text;
}

/// Lines with a counter and a rate, of no dialect.
inline std::string unknown_log(std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 256);
  for (int i = 1; text.size() < bytes; ++i)
    fmt::format_to(std::back_inserter(text), "iter {} loss {:.4f} {:.1f} samples/s\n", 10 * i,
                   6.9 - 0.001 * (i % 97), 393.8 + 0.1 * (i % 7));
  return text;
}

/// Lines that tell of no speed.
inline std::string chatter(std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 256);
  for (int i = 0; text.size() < bytes; ++i)
    fmt::format_to(std::back_inserter(text), "loaded shard {} of split {} from cache (ok)\n",
                   i * 7919 % 997, i % 3);
  return text;
}

}  // namespace trainmark
