"""What the trainers on TensorFlow can do."""

import os

from trainmark.description import version_of
from trainmark.offer import Offer, Pipeline


def _why_built_without_cuda():
    return "tensorflow-cpu has no CUDA" if version_of("tensorflow-cpu") else ""


def _before_import():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")  # what it only tells for information is not for our log


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
    several_ranks=True,
    pipelines={"tf.data": Pipeline({"labelled-images": ["imagefolder", "tfrecord"]})},
    why_built_without_cuda=_why_built_without_cuda,
    before_import=_before_import,
)
