#include "cuda/input/nvjpeg.h"

#ifdef TRAINMARK_HAS_NVJPEG

#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <dlfcn.h>
#include <nvjpeg.h>

#include <filesystem>
#include <future>
#include <new>
#include <stdexcept>

#include "cuda/input/crop_kernels.h"

namespace trainmark::train {
namespace {

/// The functions of the library that are used here.
struct Nvjpeg {
  decltype(&nvjpegCreateEx) create = nullptr;
  decltype(&nvjpegDestroy) destroy = nullptr;
  decltype(&nvjpegJpegStateCreate) create_state = nullptr;
  decltype(&nvjpegJpegStateDestroy) destroy_state = nullptr;
  decltype(&nvjpegDecodeBatchedInitialize) begin_batch = nullptr;
  decltype(&nvjpegDecodeBatched) decode_batch = nullptr;
  decltype(&nvjpegDecode) decode = nullptr;
};

template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool find_functions(void* library, Nvjpeg& functions) {
  return find_function(library, "nvjpegCreateEx", functions.create) &&
         find_function(library, "nvjpegDestroy", functions.destroy) &&
         find_function(library, "nvjpegJpegStateCreate", functions.create_state) &&
         find_function(library, "nvjpegJpegStateDestroy", functions.destroy_state) &&
         find_function(library, "nvjpegDecodeBatchedInitialize", functions.begin_batch) &&
         find_function(library, "nvjpegDecodeBatched", functions.decode_batch) &&
         find_function(library, "nvjpegDecode", functions.decode);
}

/// Where the loader finds it, or beside LibTorch, where its wheel installs it. Stays open until the
/// program ends.
void* open_nvjpeg() {
  static_assert(NVJPEG_VER_MAJOR == 13);
  const std::string name = "libnvjpeg.so.13";
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  Dl_info torch{};
  if (library != nullptr ||
      dladdr(reinterpret_cast<void*>(&c10::cuda::current_device), &torch) == 0) {
    return library;
  }
  const std::filesystem::path packages =
      std::filesystem::path(torch.dli_fname).parent_path() / ".." / "..";
  return dlopen((packages / "nvidia" / "cu13" / "lib" / name).c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string text_of(nvjpegStatus_t status) {
  switch (status) {
    case NVJPEG_STATUS_BAD_JPEG:
    case NVJPEG_STATUS_INCOMPLETE_BITSTREAM:
      return "it is damaged";
    case NVJPEG_STATUS_JPEG_NOT_SUPPORTED:
      return "it is of a kind that nvJPEG cannot decode";
    case NVJPEG_STATUS_ALLOCATOR_FAILURE:
      return "the GPU is out of memory";
    default:
      return "nvJPEG returned status " + std::to_string(static_cast<int>(status));
  }
}

/// A handle of the library and the state of its decoder, of one backend.
class Backend {
 public:
  Backend(const Nvjpeg& functions, nvjpegBackend_t kind) : functions_(functions) {
    status_ = functions_.create(kind, nullptr, nullptr, 0, &handle_);
    if (status_ != NVJPEG_STATUS_SUCCESS) return;
    status_ = functions_.create_state(handle_, &state_);
  }
  ~Backend() {
    if (state_ != nullptr) functions_.destroy_state(state_);
    if (handle_ != nullptr) functions_.destroy(handle_);
  }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  nvjpegStatus_t status() const { return status_; }  // of its making

  nvjpegStatus_t decode(const std::vector<const unsigned char*>& data,
                        const std::vector<std::size_t>& lengths, std::vector<nvjpegImage_t>& images,
                        cudaStream_t stream) {
    if (batch_ != data.size()) {
      const nvjpegStatus_t status =
          functions_.begin_batch(handle_, state_, static_cast<int>(data.size()),
                                 /*max_cpu_threads=*/1, NVJPEG_OUTPUT_RGBI);
      batch_ = status == NVJPEG_STATUS_SUCCESS ? data.size() : 0;
      if (status != NVJPEG_STATUS_SUCCESS) return status;
    }
    const nvjpegStatus_t status = functions_.decode_batch(handle_, state_, data.data(),
                                                          lengths.data(), images.data(), stream);
    if (status != NVJPEG_STATUS_SUCCESS) batch_ = 0;  // a failed batch ends the preparation
    return status;
  }

  nvjpegStatus_t decode_one(const unsigned char* data, std::size_t length, nvjpegImage_t& image,
                            cudaStream_t stream) {
    batch_ = 0;
    return functions_.decode(handle_, state_, data, length, NVJPEG_OUTPUT_RGBI, &image, stream);
  }

 private:
  Nvjpeg functions_;
  nvjpegHandle_t handle_ = nullptr;
  nvjpegJpegState_t state_ = nullptr;
  nvjpegStatus_t status_ = NVJPEG_STATUS_NOT_INITIALIZED;
  std::size_t batch_ = 0;  // that it is prepared for
};

/// Decodes a part of a batch in a stream of its own.
class Lane {
 public:
  Lane(std::unique_ptr<Backend> backend, c10::cuda::CUDAStream stream)
      : backend_(std::move(backend)), stream_(stream) {}

  void clear() {
    data_.clear();
    lengths_.clear();
    images_.clear();
  }

  void add(const data::EncodedPicture& picture, const nvjpegImage_t& image) {
    data_.push_back(picture.bytes.data());
    lengths_.push_back(picture.bytes.size());
    images_.push_back(image);
  }

  /// Returns when the device is done.
  nvjpegStatus_t decode() {
    if (data_.empty()) return NVJPEG_STATUS_SUCCESS;
    const c10::cuda::CUDAGuard device(stream_.device_index());
    const nvjpegStatus_t status = backend_->decode(data_, lengths_, images_, stream_.stream());
    C10_CUDA_CHECK(cudaStreamSynchronize(stream_.stream()));
    return status;
  }

 private:
  std::unique_ptr<Backend> backend_;
  c10::cuda::CUDAStream stream_;
  // Of each picture: what nvJPEG is to know of it.
  std::vector<const unsigned char*> data_;
  std::vector<std::size_t> lengths_;
  std::vector<nvjpegImage_t> images_;
};

class NvjpegDecoder : public PictureDecoder {
 public:
  NvjpegDecoder(std::vector<Lane> lanes, std::unique_ptr<Backend> single)
      : lanes_(std::move(lanes)), single_(std::move(single)) {}

  std::string name() const override { return "nvjpeg"; }

  void decode(const data::HostBatch& batch, const at::Tensor& rows) override {
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream().stream();
    encoded_.clear();
    for (std::size_t i = 0; i < batch.encoded.size(); ++i) {
      if (!batch.encoded[i].bytes.empty()) encoded_.push_back(i);
    }
    if (encoded_.empty()) return;
    lay_out(batch, rows.device());
    if (!decode_in_lanes(batch)) decode_singly(batch, stream);
    cut(batch, rows, stream);
    // The encoded bytes are the pipeline's, which goes on.
    C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  }

 private:
  /// nvJPEG waits on the host for every picture before it goes on to another, which takes long
  /// while the GPU is busy: several lanes wait at the same time.
  bool decode_in_lanes(const data::HostBatch& batch) {
    for (Lane& lane : lanes_) lane.clear();
    for (std::size_t i = 0; i < encoded_.size(); ++i) {
      lanes_[i % lanes_.size()].add(batch.encoded[encoded_[i]], images_[i]);
    }
    std::vector<std::future<nvjpegStatus_t>> others;
    for (std::size_t i = 1; i < lanes_.size(); ++i) {
      others.push_back(
          std::async(std::launch::async, [&lane = lanes_[i]] { return lane.decode(); }));
    }
    bool decoded = lanes_.front().decode() == NVJPEG_STATUS_SUCCESS;
    for (std::future<nvjpegStatus_t>& other : others) {
      if (other.get() != NVJPEG_STATUS_SUCCESS) decoded = false;
    }
    return decoded;
  }

  /// Finds room for the decoded pictures, one behind the other.
  void lay_out(const data::HostBatch& batch, at::Device device) {
    const auto bytes_of = [](const data::EncodedPicture& picture) {
      return 3L * picture.width * picture.height;
    };
    std::int64_t bytes = 0;
    for (const std::size_t i : encoded_) bytes += bytes_of(batch.encoded[i]);
    if (!decoded_.defined() || decoded_.numel() < bytes) {
      decoded_ = at::empty({bytes}, at::TensorOptions(device).dtype(at::kByte));
    }
    images_.clear();
    auto* place = decoded_.mutable_data_ptr<std::uint8_t>();
    for (const std::size_t i : encoded_) {
      const data::EncodedPicture& picture = batch.encoded[i];
      nvjpegImage_t& image = images_.emplace_back();
      image.channel[0] = place;
      image.pitch[0] = 3 * static_cast<std::size_t>(picture.width);
      place += bytes_of(picture);
    }
  }

  /// One that the GPU's decoders refuse lets a whole batch fail.
  void decode_singly(const data::HostBatch& batch, cudaStream_t stream) {
    for (std::size_t i = 0; i < encoded_.size(); ++i) {
      const data::Bytes& bytes = batch.encoded[encoded_[i]].bytes;
      const nvjpegStatus_t status =
          single_->decode_one(bytes.data(), bytes.size(), images_[i], stream);
      if (status == NVJPEG_STATUS_SUCCESS) continue;
      throw std::runtime_error(batch.names.at(encoded_[i]) + ": " + text_of(status) +
                               "; write --decoder cpu, which can leave out such items");
    }
  }

  void cut(const data::HostBatch& batch, const at::Tensor& rows, cudaStream_t stream) {
    const auto bytes = static_cast<std::int64_t>(encoded_.size() * sizeof(CropTask));
    const at::Tensor pinned = at::empty({bytes}, at::TensorOptions(at::kByte).pinned_memory(true));
    auto* const tasks = static_cast<CropTask*>(pinned.mutable_data_ptr());
    for (std::size_t i = 0; i < encoded_.size(); ++i) {
      const data::Box& box = batch.boxes.at(encoded_[i]);
      const auto pitch = static_cast<std::int64_t>(images_[i].pitch[0]);
      new (tasks + i)
          CropTask{.pixels = images_[i].channel[0] + box.top * pitch + 3L * box.left,
                   .pitch = pitch,
                   .box_width = box.width,
                   .box_height = box.height,
                   .scale_x = static_cast<float>(box.width) / static_cast<float>(rows.size(2)),
                   .scale_y = static_cast<float>(box.height) / static_cast<float>(rows.size(1)),
                   .flip = batch.flipped.at(encoded_[i]),
                   .row = static_cast<std::int64_t>(encoded_[i])};
    }
    const at::Tensor on_device = pinned.to(rows.device(), /*non_blocking=*/true);
    crop_and_resize({.tasks = static_cast<const CropTask*>(on_device.const_data_ptr()),
                     .count = static_cast<int>(encoded_.size()),
                     .height = static_cast<int>(rows.size(1)),
                     .width = static_cast<int>(rows.size(2)),
                     .rows = rows.mutable_data_ptr<std::uint8_t>(),
                     .stream = stream});
  }

  std::vector<Lane> lanes_;
  std::unique_ptr<Backend> single_;
  at::Tensor decoded_;
  // Of each encoded picture: its place in the batch, and where it is decoded.
  std::vector<std::size_t> encoded_;
  std::vector<nvjpegImage_t> images_;
};

std::unique_ptr<Backend> make_batch_backend(const Nvjpeg& functions) {
  auto backend = std::make_unique<Backend>(functions, NVJPEG_BACKEND_HARDWARE);
  if (backend->status() == NVJPEG_STATUS_SUCCESS) return backend;
  // Not every GPU has decoders of its own.
  return std::make_unique<Backend>(functions, NVJPEG_BACKEND_GPU_HYBRID);
}

}  // namespace

std::unique_ptr<PictureDecoder> make_nvjpeg(std::string& why_not) {
  void* const library = open_nvjpeg();
  if (library == nullptr) {
    why_not = dlerror();
    return nullptr;
  }
  Nvjpeg functions;
  if (!find_functions(library, functions)) {
    why_not = "libnvjpeg.so.13 lacks functions";
    return nullptr;
  }
  const auto works = [&](const Backend& backend) {
    if (backend.status() != NVJPEG_STATUS_SUCCESS) why_not = text_of(backend.status());
    return backend.status() == NVJPEG_STATUS_SUCCESS;
  };
  constexpr int lane_count = 3;
  std::vector<Lane> lanes;
  for (int i = 0; i < lane_count; ++i) {
    std::unique_ptr<Backend> backend = make_batch_backend(functions);
    if (!works(*backend)) return nullptr;
    lanes.emplace_back(std::move(backend), c10::cuda::getStreamFromPool(/*isHighPriority=*/true));
  }
  auto single = std::make_unique<Backend>(functions, NVJPEG_BACKEND_DEFAULT);
  if (!works(*single)) return nullptr;
  return std::make_unique<NvjpegDecoder>(std::move(lanes), std::move(single));
}

}  // namespace trainmark::train

#else

namespace trainmark::train {

std::unique_ptr<PictureDecoder> make_nvjpeg(std::string& why_not) {
  why_not = "nvjpeg.h was not found when this program was built";
  return nullptr;
}

}  // namespace trainmark::train

#endif
