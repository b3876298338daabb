#include "engine/checkpoint_folder.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/safetensors.h"
#include "base/text.h"

namespace trainmark::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* version_name = "version";
constexpr const char* version = "1";

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw UserError(fmt::format("{}: {}", printable(file.string()), why));
}

/// Throws UserError where it is of another training.
void check_identity(const fs::path& file, const Metadata& found, const Metadata& wanted) {
  const auto text = [&](const std::string& name) {
    const auto entry = found.find(name);
    return entry == found.end() ? std::string() : entry->second;
  };
  if (text(version_name) != version) {
    refuse(file, fmt::format("not a checkpoint of this program: its version is '{}', not {}; give "
                             "another --checkpoint folder",
                             printable(text(version_name)), version));
  }
  for (const auto& [name, value] : wanted) {
    if (text(name) == value) continue;
    refuse(file,
           fmt::format("it is of a training with {} '{}', and this one has '{}'; use the same "
                       "arguments, or another --checkpoint folder",
                       name, printable(text(name)), value));
  }
}

void fill(SafetensorsFile& file, const fs::path& path, const std::string& name,
          const at::Tensor& tensor) {
  const auto found = file.tensors().find(name);
  if (found == file.tensors().end()) refuse(path, fmt::format("'{}' is missing", name));
  if (found->second.shape != tensor.sizes().vec() ||
      found->second.type != element_type_name(tensor.scalar_type())) {
    refuse(path, fmt::format("'{}' has another shape or type than in this training", name));
  }
  const at::Tensor read = at::empty(tensor.sizes(), at::TensorOptions(tensor.scalar_type()));
  file.read(found->second, read.mutable_data_ptr());
  tensor.copy_(read);
}

}  // namespace

CheckpointFolder::CheckpointFolder(fs::path folder, Metadata identity, std::shared_ptr<World> world)
    : folder_(std::move(folder)), identity_(std::move(identity)), world_(std::move(world)) {
  std::error_code error;
  if (fs::exists(folder_, error) && !fs::is_directory(folder_, error)) {
    throw UserError(fmt::format("--checkpoint {}: it is not a folder; name one, or a new one",
                                printable(folder_.string())));
  }
  make_folders(folder_);
  if (world_->rank() == 0) remove_leftovers();
}

fs::path CheckpointFolder::own_file(std::int64_t step) const {
  return folder_ / fmt::format("checkpoint.rank{}.{}.safetensors", world_->rank(), step);
}

/// Of a training that was killed while it wrote.
void CheckpointFolder::remove_leftovers() const {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(".trainmark-") && name.ends_with(".tmp")) fs::remove(entry.path(), error);
  }
}

void CheckpointFolder::remove_own_files_but(std::int64_t step) const {
  const std::string prefix = fmt::format("checkpoint.rank{}.", world_->rank());
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const bool own = entry.path().filename().string().starts_with(prefix);
    if (own && entry.path() != own_file(step)) fs::remove(entry.path(), error);
  }
}

std::optional<TrainingProgress> CheckpointFolder::find() const {
  std::error_code error;
  if (!fs::exists(main_file(), error)) return std::nullopt;
  const SafetensorsFile file(main_file().string());
  check_identity(main_file(), file.metadata(), identity_);
  try {
    return read_progress(file.metadata());
  } catch (const std::invalid_argument& fault) {
    refuse(main_file(), fmt::format("damaged: {}", fault.what()));
  }
}

void CheckpointFolder::load(const NamedTensors& state, const IsOwn& is_own,
                            std::int64_t step) const {
  const at::NoGradGuard no_grad;
  SafetensorsFile shared(main_file().string());
  std::optional<SafetensorsFile> own;
  if (world_->rank() > 0) own.emplace(own_file(step).string());
  for (const auto& [name, tensor] : state) {
    if (own && is_own(name)) {
      fill(*own, own_file(step), name, tensor);
    } else {
      fill(shared, main_file(), name, tensor);
    }
  }
  if (world_->rank() > 0) return;
  for (const auto& [name, stored] : shared.tensors()) {
    if (!state.contains(name)) {
      refuse(main_file(), fmt::format("this training has no '{}'", printable(name)));
    }
  }
}

std::int64_t CheckpointFolder::save(const NamedTensors& state, const IsOwn& is_own,
                                    const TrainingProgress& progress) const {
  Metadata metadata = to_metadata(progress);
  metadata.insert(identity_.begin(), identity_.end());
  metadata[version_name] = version;
  std::int64_t bytes = 0;
  if (world_->rank() > 0) {
    NamedTensors own;
    for (const auto& [name, tensor] : state) {
      if (is_own(name)) own.emplace(name, tensor);
    }
    bytes = write_safetensors(own_file(progress.step).string(), own, metadata);
  }
  world_->meet();
  if (world_->rank() == 0) bytes = write_safetensors(main_file().string(), state, metadata);
  world_->meet();
  if (world_->rank() > 0) remove_own_files_but(progress.step);
  return bytes;
}

}  // namespace trainmark::train
