"""The trainers on PyTorch with one mistake, named by $TRAINMARK_MISTAKE, or with none: what `trainmark verify` must
tell from each other."""

import os
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
FRAMEWORKS = TESTS.parents[1] / "frameworks"
sys.path[:0] = [str(FRAMEWORKS / "pytorch"), str(TESTS)]

import support  # noqa: E402
from offer import OFFER  # noqa: E402
from trainmark.command import run_trainer  # noqa: E402


def change_optimizer(**settings):
    for workload in support.contracts().values():
        known = {key: value for key, value in settings.items() if key in workload.optimizer._fields}
        workload.optimizer = workload.optimizer._replace(**known)


def change_models(change):
    """`change(module)` is called for every module of a model."""
    for workload in OFFER.workloads:
        code = support.code_of(workload)
        code.build = wrong_build(code.build, change)


def wrong_build(build, change):
    def build_wrongly(*arguments):
        model = build(*arguments)
        for module in model.modules():
            change(module)
        return model

    return build_wrongly


def large_epsilon(module):
    if type(module).__name__ == "BatchNorm2d":
        module.eps = 1e-3


def stride_in_the_first_convolution(module):
    if type(module).__name__ == "Bottleneck":
        module.conv1.stride, module.conv2.stride = module.conv2.stride, (1, 1)


def forgotten_branch(module):
    """The forward pass stays as it is, the gradients of a shortcut are lost."""
    if type(module).__name__ == "Bottleneck" and module.downsample is not None:
        module.downsample.register_forward_hook(lambda _module, _inputs, output: output.detach() + 0 * output)


def skipped_layer(module):
    """A bottleneck block that only passes on what comes in."""
    if type(module).__name__ == "Bottleneck" and module.downsample is None:
        module.forward = lambda inputs: inputs + 0 * type(module).forward(module, inputs)


def half_the_scale():
    """Gradients are divided by half of what the loss was multiplied by."""
    from trainmark import trainer

    right = trainer.unscaled
    trainer.unscaled = lambda arrays, scale: right(arrays, scale / 2)


def unscaled_dropout(module):
    """What is kept is not multiplied by 1 / (1 - rate). The attention's weights are dropped elsewhere, and rightly."""
    if type(module).__name__ == "Dropout":
        module.forward = lambda x: (1 - module.p) * type(module).forward(module, x)


def undropped(module):
    if type(module).__name__ == "Dropout":
        module.p = 0.0


def same_masks(module):
    """Every step drops the same, as a recorded step does that forgets its random numbers."""
    import torch

    if type(module).__name__ == "Bert":
        module.register_forward_pre_hook(lambda *_: torch.manual_seed(7) and None)


MISTAKES = {
    "none": lambda: None,
    "epsilon": lambda: change_models(large_epsilon),
    "stride": lambda: change_models(stride_in_the_first_convolution),
    "branch": lambda: change_models(forgotten_branch),
    "decay": lambda: change_optimizer(weight_decay=0.0),
    "momentum": lambda: change_optimizer(momentum=0.8),
    "rate": lambda: change_optimizer(learning_rate=1.2e-4),
    "layer": lambda: change_models(skipped_layer),
    "scale": half_the_scale,
    "unscaled": lambda: change_models(unscaled_dropout),
    "undropped": lambda: change_models(undropped),
    "masks": lambda: change_models(same_masks),
}


def main(arguments):
    if "--describe" not in arguments:
        MISTAKES[os.environ["TRAINMARK_MISTAKE"]]()
    return run_trainer(OFFER, arguments)
