#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "logs/text/line_reader.h"

namespace trainmark {

/// Unpacks one format, in memory that has a bound whatever the data say: files of others may ask
/// for gigabytes in a few bytes.
class Unpacker {
 public:
  /// The most memory that unpacking may take. `xz -9` asks for 65 MiB, `zstd --ultra -22` for 128.
  static constexpr std::size_t most_memory = std::size_t{136} << 20;

  struct Made {
    std::size_t taken = 0;  // of the input
    std::size_t made = 0;   // of the output
    std::string damage;     // why it cannot go on, in words; empty where it can
  };

  virtual ~Unpacker() = default;
  /// No input: whatever is still to come of what was taken before.
  virtual Made unpack(std::string_view input, char* output, std::size_t room) = 0;
  /// A part was begun and has not ended; the file must not end here.
  virtual bool is_inside() const = 0;
};

std::unique_ptr<Unpacker> gzip_unpacker();
std::unique_ptr<Unpacker> zstd_unpacker();
std::unique_ptr<Unpacker> xz_unpacker();

/// The one that fits the first bytes of a file; none where these are not packed.
std::unique_ptr<Unpacker> unpacker_for(std::string_view front);

/// How much a file may become when it is unpacked. Logs shrink to a tenth, those of progress bars
/// to a hundredth; what grows further is made to fill disks or to keep programs busy.
struct UnpackLimits {
  std::size_t free_bytes = std::size_t{256} << 20;  // whatever the file's size
  std::size_t times = 200;                          // and so many times the bytes read
};

/// The unpacked bytes of `packed`, of which `front` was read already. What is damaged or grows
/// beyond the limits ends there, and `damage` says so.
std::unique_ptr<ByteSource> unpacked_source(std::unique_ptr<ByteSource> packed,
                                            std::string_view front,
                                            std::unique_ptr<Unpacker> unpacker,
                                            const UnpackLimits& limits = {});

}  // namespace trainmark
