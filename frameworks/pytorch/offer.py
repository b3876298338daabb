"""What the trainers on PyTorch can do here, found without importing PyTorch."""

import os
from importlib.util import find_spec

from trainmark.description import describe as describe_framework
from trainmark.description import version_of
from trainmark.host import why_cuda_is_missing

SETUP = "scripts/setup pytorch"

_PACKAGES = ("torch", "torchvision", "timm", "transformers", "numpy")

_MODES = ["eager", "compile", "graph"]
_MODE_DEVICES = {"graph": ["cuda"]}
_PRECISIONS = {
    "cpu": ["fp32", "amp-bf16"],
    "cuda": ["fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"],
}


def describe():
    versions = {package: version_of(package) for package in _PACKAGES}
    return describe_framework(
        framework="pytorch",
        versions={package: version for package, version in versions.items() if version},
        devices={"cpu": _why_torch_is_missing(), "cuda": _why_torch_is_missing() or _why_gpu_is_missing()},
        modes=_MODES,
        mode_devices=_MODE_DEVICES,
        precisions=_PRECISIONS,
    )


def _why_torch_is_missing():
    return "" if find_spec("torch") else f"PyTorch is not installed; to install it: {SETUP}"


def _why_gpu_is_missing():
    library = os.path.join(find_spec("torch").submodule_search_locations[0], "lib", "libtorch_cuda.so")
    if not os.path.exists(library):
        return "this PyTorch was built without CUDA"
    return why_cuda_is_missing()
