"""What the trainers on Apache MXNet can do."""

from trainmark.description import version_of
from trainmark.offer import Offer


def _why_built_without_cuda():
    """The package without a CUDA version in its name is the one for CPUs."""
    return "this MXNet was built without CUDA" if version_of("mxnet") else ""


OFFER = Offer(
    framework="mxnet",
    title="Apache MXNet",
    package="mxnet",
    versions=("mxnet", "mxnet-cu112", "numpy"),
    least={"mxnet": "1.9", "mxnet-cu112": "1.9"},
    modes=["hybrid"],
    precisions={"cpu": ["fp32"], "cuda": ["fp32", "amp-fp16", "fp16"]},
    workloads=("resnet50", "arcface"),
    why_built_without_cuda=_why_built_without_cuda,
)
