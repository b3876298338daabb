// Environment variables that change how fast training runs. A list of what is kept, not of what is
// left out: results are published, and other variables hold other people's secrets.

#include <algorithm>
#include <iterator>
#include <string>

#include "base/json_fields.h"
#include "base/secrets.h"
#include "base/text.h"
#include "environ/machine/area.h"
#include "environ/machine/variables.h"

namespace trainmark {

using nlohmann::json;

namespace {

constexpr std::string_view recorded[] = {
    // threads and their places
    "OMP_*", "KMP_*", "GOMP_*", "MKL_*", "ONEDNN_*", "DNNL_*", "OPENBLAS_*", "BLIS_*",
    // devices and CUDA
    "CUDA_*", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_TF32_OVERRIDE", "CUBLAS_*", "CUBLASLT_*", "CUDNN_*",
    "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
    // frameworks
    "TORCH_*", "TORCHINDUCTOR_*", "PYTORCH_*", "TRITON_*", "XLA_FLAGS", "XLA_PYTHON_CLIENT_*",
    "FLAGS_*", "MXNET_*", "JAX_*", "ONEFLOW_*",
    // TensorFlow by its single settings: Terraform's variables begin with TF_ as well, and TF_VAR_
    // holds whatever its users put there
    "TF_XLA_*", "TF_CPP_*", "TF_GPU_*", "TF_CUDNN_*", "TF_CUBLAS_*", "TF_NUM_*", "TF_ENABLE_*",
    "TF_DISABLE_*", "TF_FORCE_*", "TF_USE_*", "TF_AUTOTUNE_*", "TF_DETERMINISTIC_*",
    "TF_AUTO_MIXED_*", "TF_FP16_*", "TF_ONEDNN_*",
    // communication
    "NCCL_*", "GLOO_*", "UCX_*", "OMPI_MCA_*", "FI_PROVIDER", "I_MPI_*", "HOROVOD_*",
    // memory
    "LD_PRELOAD", "MALLOC_*", "GLIBC_TUNABLES", "TCMALLOC_*",
    // the job's shape
    "SLURM_JOB_NUM_NODES", "SLURM_NNODES", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE",
    "SLURM_CPUS_PER_TASK", "SLURM_CPU_BIND", "SLURM_GPUS_ON_NODE", "SLURM_JOB_PARTITION"};

/// What mpirun itself sets for every job, and for every rank another one: it would make each run an
/// environment of its own.
constexpr std::string_view of_one_job[] = {
    "OMPI_MCA_orte_*", "OMPI_MCA_ess*",         "OMPI_MCA_pmix*",
    "OMPI_MCA_plm_*",  "OMPI_MCA_initial_wdir", "OMPI_MCA_shmem_RUNTIME_QUERY_hint"};

constexpr std::size_t longest_value = 2000;

json collect(const Machine& machine) {
  json variables = json::object();
  for (const std::string& variable : machine.variables) {
    const auto equals = variable.find('=');
    if (equals == std::string::npos) continue;
    const std::string_view name = std::string_view(variable).substr(0, equals);
    if (!is_recorded_variable(name)) continue;
    const std::string value = Secrets().hide(std::string_view(variable).substr(equals + 1));
    variables[printable(name)] = printable(value, longest_value);
  }
  return variables;
}

AreaLines describe(const json& variables) {
  AreaLines lines;
  if (!variables.is_object()) return lines;
  for (const auto& [name, value] : variables.items()) {
    lines.emplace_back(printable(name), json_line(value));
  }
  return lines;
}

const AreaRegistration registered("variables", {80, "Variables", collect, describe});

}  // namespace

bool is_recorded_variable(std::string_view name) {
  const auto matches = [&](std::string_view pattern) { return glob_match(pattern, name); };
  if (is_secret_name(name) || std::any_of(std::begin(of_one_job), std::end(of_one_job), matches))
    return false;
  return std::any_of(std::begin(recorded), std::end(recorded), matches);
}

}  // namespace trainmark
