#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace trainmark {

/// What ranks write travels home through the standard error of mpirun or srun. Both cut it into
/// pieces (mpirun at 4096 bytes, srun at lines of up to 1024) and mix the pieces of all ranks. So
/// it is sent in frames that survive this: each is a line of exactly `frame_size` bytes, a divisor
/// of both, with its rank, a running number, the sender's clock and a checksum.
constexpr std::size_t frame_size = 512;

/// What a frame carries.
enum class FrameKind : char {
  hello = 'H',   // JSON: the rank's host, clock and cores
  events = 'e',  // the trainer's streams, in pieces
  output = 'o',
  errors = 'x',
  node = 'N',    // lines of JSON, in pieces: what the agent tells of its node (node_report.h)
  report = 'R',  // JSON: how the trainer ended
};

struct Frame {
  int rank = 0;
  std::uint64_t number = 0;  // of this rank's frames, from 0
  FrameKind kind = FrameKind::hello;
  double sent = 0;  // seconds on the sender's monotonic clock
  std::string payload;
};

/// Takes as much of `bytes` as fits a frame; what is left stays for the next.
std::string take_frame(const Frame& frame, std::string_view& bytes);

/// Finds the frames in what comes home.
class FrameReader {
 public:
  using FrameSink = std::function<void(const Frame&)>;
  using TextSink = std::function<void(std::string_view)>;

  /// `text` gets what is no frame: the words of the starter itself, and torn frames.
  FrameReader(int ranks, FrameSink frames, TextSink text);

  void feed(std::string_view bytes);
  void finish();

  /// Frames of a rank that were sent and never came, as far as its numbers tell.
  std::uint64_t lost(int rank) const { return lost_.at(static_cast<std::size_t>(rank)); }

 private:
  void line(std::string_view text);
  bool take(std::string_view text);

  FrameSink frames_;
  TextSink text_;
  std::string pending_;
  std::vector<std::uint64_t> expected_;
  std::vector<std::uint64_t> lost_;
};

}  // namespace trainmark
