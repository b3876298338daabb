"""What the trainers on Apache MXNet can do."""

from trainmark.description import version_of
from trainmark.offer import Offer


def _why_built_without_cuda():
    """The package without a CUDA version in its name is the one for CPUs."""
    return "this MXNet was built without CUDA" if version_of("mxnet") else ""


def _before_import():
    """The version that it says itself: that of its package may be another one's."""
    import mxnet

    if not mxnet.__version__.startswith("1.9."):
        raise ImportError(f"version {mxnet.__version__} is not supported; 1.9 is required")


OFFER = Offer(
    framework="mxnet",
    title="Apache MXNet",
    package="mxnet",
    versions=("mxnet", "mxnet-cu112", "numpy"),
    least={"mxnet": "1.9", "mxnet-cu112": "1.9"},
    modes=["hybrid"],
    precisions={"cpu": ["fp32"], "cuda": ["fp32", "amp-fp16", "fp16"]},
    several_ranks=True,
    why_built_without_cuda=_why_built_without_cuda,
    before_import=_before_import,
)
