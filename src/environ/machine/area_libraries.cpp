// CUDA's libraries as this machine's loader finds them. Frameworks that bring their own say so when
// a trainer starts.

#include "base/json_fields.h"
#include "environ/machine/area.h"
#include "environ/machine/library_version.h"

namespace trainmark {

using nlohmann::json;

namespace {

json collect(const Machine& machine) {
  json libraries = json::object();
  if (!machine.may_load_libraries) return libraries;
  set_field(libraries, "cuda_runtime",
            cuda_version_text(library_version(
                {"libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"},
                "cudaRuntimeGetVersion", true)));
  set_field(libraries, "cudnn",
            cudnn_version_text(library_version({"libcudnn.so", "libcudnn.so.9", "libcudnn.so.8"},
                                               "cudnnGetVersion", false)));
  set_field(
      libraries, "nccl",
      nccl_version_text(library_version({"libnccl.so.2", "libnccl.so"}, "ncclGetVersion", true)));
  return libraries;
}

AreaLines describe(const json& libraries) {
  AreaLines lines;
  for (const auto& [key, label] : {std::pair("cuda_runtime", "CUDA runtime"),
                                   std::pair("cudnn", "cuDNN"), std::pair("nccl", "NCCL")}) {
    if (const std::string version = json_string(libraries, key); !version.empty()) {
      lines.emplace_back(label, version);
    }
  }
  return lines;
}

const AreaRegistration registered("libraries", {60, "Libraries", collect, describe});

}  // namespace

}  // namespace trainmark
