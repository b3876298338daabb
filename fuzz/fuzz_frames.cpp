// What comes home from the ranks of other nodes, between the words of mpirun or srun.

#include <cstdint>

#include "launch/frames.h"
#include "scratch.h"

using namespace trainmark;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr int ranks = 3;
  FrameReader reader(
      ranks,
      [](const Frame& frame) {
        if (frame.rank < 0 || frame.rank >= ranks || frame.payload.size() > frame_size)
          std::abort();
      },
      [](std::string_view) {});
  const std::size_t piece = 4U * data[0] + 1;
  for (std::string_view rest = fuzz::view_of(data + 1, size - 1); !rest.empty();
       rest.remove_prefix(std::min(piece, rest.size())))
    reader.feed(rest.substr(0, piece));
  reader.finish();
  return 0;
}
