"""What the trainers on PyTorch can do."""

import os
from importlib.util import find_spec

from trainmark.offer import Offer, Pipeline
from trainmark.shards import add_whole_classes


def _why_built_without_cuda():
    library = os.path.join(find_spec("torch").submodule_search_locations[0], "lib", "libtorch_cuda.so")
    return "" if os.path.exists(library) else "this PyTorch was built without CUDA"


def _add_arguments(parser):
    parser.add_argument(
        "--memory-format",
        choices=["channels_last", "contiguous"],
        help="the order of images in memory, instead of the workload's own",
    )
    add_whole_classes(parser)


OFFER = Offer(
    framework="pytorch",
    title="PyTorch",
    package="torch",
    versions=("torch", "torchvision", "timm", "transformers", "numpy"),
    least={"torch": "2.5"},
    modes=["eager", "compile", "graph"],
    mode_devices={"graph": ["cuda"]},
    precisions={
        "cpu": ["fp32", "fp64", "amp-bf16"],
        "cuda": ["fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"],
    },
    several_ranks=True,
    pipelines={
        "dataloader": Pipeline(
            {
                "labelled-images": ["imagefolder", "webdataset", "fashion-mnist"],
                "labelled-pixels": ["cityscapes"],
                "image-pairs": ["cyclegan"],
                "masked-sentences": ["token-bin"],
                "sentence-pairs": ["token-lines"],
            }
        ),
        "torchvision": Pipeline({"labelled-images": ["imagefolder", "webdataset"]}),
        "dali": Pipeline(
            {"labelled-images": ["imagefolder", "webdataset"]},
            package="nvidia.dali",
            requirements="frameworks/pytorch/requirements-dali.lock",
        ),
    },
    quality=("resnet50", "se_resnext50", "arcface", "deeplabv3p", "cyclegan", "bert", "transformer"),
    why_built_without_cuda=_why_built_without_cuda,
    add_arguments=_add_arguments,
)
