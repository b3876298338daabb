#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trainmark {

/// What a number in a line may tell of the training's speed, by the words around it.
enum class QuantityKind : unsigned char {
  plain,          // nothing, or it cannot be told
  item_rate,      // items per second
  step_seconds,   // seconds per step, said so; rates of steps are turned around
  item_seconds,   // seconds per item
  epoch_seconds,  // seconds per epoch
  seconds,        // a time: of a step, of an interval, or since the start
  other           // something with a unit that says nothing of speed: bytes, percent, FLOPs
};

/// A kind and what turns the number into it.
struct Quantity {
  QuantityKind kind = QuantityKind::plain;
  double factor = 1;       // to seconds, or to items per second
  bool inverse = false;    // the number is a rate of steps: 1 / (value × factor) are seconds
  std::string items = {};  // of a rate: "images/s"; empty where nothing names them
  std::size_t length = 0;  // of the unit in the text behind the number

  double value_of(double number) const { return inverse ? 1 / (number * factor) : number * factor; }
};

/// By the text right behind a number: `it/s`, `ms/step`, ` samples/sec`, `k tok/s`, `s`.
Quantity quantity_behind(std::string_view text);

/// By the words in front of a number, in lower case: `tok/sec`, `samples_per_second`,
/// `elapsed time per iteration (ms)`, `dt`, `train_time`.
Quantity quantity_in_front(std::string_view words);

}  // namespace trainmark
