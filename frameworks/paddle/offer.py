"""What the trainers on PaddlePaddle can do."""

import os
import re
from importlib.util import find_spec
from pathlib import Path

from trainmark.offer import Offer, Pipeline
from trainmark.shards import add_whole_classes


def _why_built_without_cuda():
    """PaddlePaddle keeps what it was built with in a file that can be read without importing it."""
    file = Path(find_spec("paddle").submodule_search_locations[0], "version", "__init__.py")
    without = file.exists() and re.search(r"^cuda_version *= *'False'", file.read_text(encoding="utf-8"), re.MULTILINE)
    return "this PaddlePaddle was built without CUDA" if without else ""


def _add_arguments(parser):
    parser.add_argument(
        "--layout", choices=["NCHW", "NHWC"], help="the order of images in memory, instead of the cell's own"
    )
    add_whole_classes(parser)


def _before_import():
    """PaddlePaddle takes one core unless it is told otherwise before it is imported."""
    os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))


OFFER = Offer(
    framework="paddle",
    title="PaddlePaddle",
    package="paddle",
    versions=("paddlepaddle", "paddlepaddle-gpu", "numpy"),
    least={"paddlepaddle": "3.0", "paddlepaddle-gpu": "3.0"},
    modes=["dygraph", "static"],
    precisions={
        "cpu": ["fp32"],
        "cuda": ["fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"],
    },
    several_ranks=True,
    pipelines={"dataloader": Pipeline({"labelled-images": ["imagefolder", "webdataset", "fashion-mnist"]})},
    quality=("resnet50", "se_resnext50", "arcface"),
    why_built_without_cuda=_why_built_without_cuda,
    add_arguments=_add_arguments,
    before_import=_before_import,
)
