"""What the trainers on TensorFlow can do."""

from trainmark.description import version_of
from trainmark.offer import Offer


def _why_built_without_cuda():
    return "tensorflow-cpu has no CUDA" if version_of("tensorflow-cpu") else ""


OFFER = Offer(
    framework="tensorflow",
    title="TensorFlow",
    package="tensorflow",
    versions=("tensorflow", "tensorflow-cpu", "numpy"),
    least={"tensorflow": "2.16", "tensorflow-cpu": "2.16"},
    modes=["graph", "xla"],
    precisions={
        "cpu": ["fp32"],
        "cuda": ["fp32", "tf32", "amp-fp16", "amp-bf16"],
    },
    workloads=("resnet50", "bert", "transformer", "cyclegan"),
    why_built_without_cuda=_why_built_without_cuda,
)
