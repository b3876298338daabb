#include "cuda/streams/side_by_side.h"

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGraphsC10Utils.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace trainmark::train {
namespace {

bool is_recorded() {
  return c10::cuda::currentStreamCaptureStatusMayInitCtx() != c10::cuda::CaptureStatus::None;
}

/// What `waiting` does from here on comes after what `other` has been given so far.
void wait_for(const c10::cuda::CUDAStream& waiting, const c10::cuda::CUDAStream& other) {
  at::cuda::CUDAEvent event;
  event.record(other);
  event.block(waiting);
}

/// Their memory is not given away before the stream has read them.
void keep_for(const c10::cuda::CUDAStream& stream, at::TensorList tensors) {
  for (const at::Tensor& tensor : tensors) tensor.record_stream(stream);
}

/// A stream beside the current one and those that are in use around it, for as long as this lives.
class SideStream {
 public:
  SideStream() : stream_(stream_at(in_use++)) {}
  ~SideStream() { --in_use; }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  const c10::cuda::CUDAStream& get() const { return stream_; }

 private:
  static c10::cuda::CUDAStream stream_at(std::size_t place) {
    static std::vector<c10::cuda::CUDAStream> streams;
    while (streams.size() <= place) streams.push_back(c10::cuda::getStreamFromPool());
    return streams[place];
  }

  static inline std::size_t in_use = 0;
  c10::cuda::CUDAStream stream_;
};

}  // namespace

TwoResults side_by_side(const Piece& first, const Piece& second, at::TensorList inputs) {
  if (!is_recorded()) {
    TwoResults results;
    results.first = first();
    results.second = second();
    return results;
  }
  const SideStream beside;
  const c10::cuda::CUDAStream& side = beside.get();
  const c10::cuda::CUDAStream main = c10::cuda::getCurrentCUDAStream();
  TwoResults results;
  wait_for(side, main);
  keep_for(side, inputs);
  {
    // Autograd runs a backward pass on the stream of its forward pass, and waits where they meet.
    const c10::cuda::CUDAStreamGuard guard(side);
    results.second = second();
  }
  results.first = first();
  wait_for(main, side);
  keep_for(main, results.second);
  return results;
}

}  // namespace trainmark::train
