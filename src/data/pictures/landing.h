#pragma once

#include <fmt/format.h>

#include <array>
#include <csetjmp>

#include "data/pictures/picture.h"

namespace trainmark::data {

/// libjpeg and libpng report an error by calling a function that must not return, and an exception
/// must not pass through their frames. That function jumps back to where the work began; from there
/// the error goes on as an exception.
struct Landing {
  std::jmp_buf place;
  std::array<char, 256> reason{};
};

/// Calls `work`, which must own nothing that has to be destroyed: a jump destroys nothing.
/// `what` stands before the library's reason.
template <class Work>
[[gnu::noinline]] void with_landing(Landing& landing, const char* what, const Work& work) {
  if (setjmp(landing.place) != 0)
    throw BadPicture(fmt::format("{}: {}", what, landing.reason.data()));
  work();
}

}  // namespace trainmark::data
