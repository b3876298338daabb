#pragma once

#include <stdexcept>

namespace trainmark::train {

/// The cell is well-formed, but this program on this machine cannot train it. Told to the bench as
/// a `failure` event of kind `unsupported` before anything is measured.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The host or the device is out of memory. A `failure` event of kind `out-of-memory`.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nobody reads the events any more: the bench is gone, and so is the reason to train.
class BenchGone : public std::runtime_error {
 public:
  BenchGone() : std::runtime_error("the reader of the event stream has gone away") {}
};

}  // namespace trainmark::train
