"""The arguments of `--quality` (docs/protocol.md)."""

import argparse
import math

from ..failure import Unsupported, UserError
from .recipe import recipe_of

_MOST_EPOCHS = 1_000_000
_SCALED = ("amp-fp16", "fp16")  # precisions whose losses are scaled
# All but `quality` itself: each says something about it.
_NAMES = (
    "evaluation_data",
    "epochs",
    "evaluate_every",
    "checkpoint",
    "checkpoint_every",
    "learning_rate",
    "weight_decay",
    "warm_up",
    "label_smoothing",
    "loss_scale",
)


def add_quality_options(parser):
    parser.add_argument("--quality", action="store_true", help="train by the workload's recipe, and evaluate")
    parser.add_argument(
        "--evaluation-data", metavar="PATH", help="the data set to evaluate on (the evaluation split of --data)"
    )
    parser.add_argument("--epochs", type=_epochs, help="length of the training (the recipe's)")
    parser.add_argument("--evaluate-every", type=_epochs, help="epochs between evaluations (the recipe's)")
    parser.add_argument(
        "--checkpoint", metavar="FOLDER", help="keep checkpoints there, and continue from the one that is there"
    )
    parser.add_argument("--checkpoint-every", type=_epochs, help="epochs between checkpoints (each evaluation)")
    parser.add_argument("--learning-rate", type=_number, help="for batches of the recipe's reference (the recipe's)")
    parser.add_argument("--weight-decay", type=_number, help="instead of the recipe's")
    parser.add_argument("--warm-up", type=_number, help="epochs in which the learning rate rises (the recipe's)")
    parser.add_argument("--label-smoothing", type=_share, help="instead of the recipe's")
    parser.add_argument("--loss-scale", type=_scale, help="a fixed one instead of one that adapts; 1: none")


def resolve_quality(options, workload):
    """`workload`: its entry in the description. Raises UserError or Unsupported, as `options.resolve` does."""
    if not options.quality:
        given = next((name for name in _NAMES if getattr(options, name) is not None), None)
        if given:
            raise UserError(f"--{given.replace('_', '-')} is for --quality; add --quality, or leave it out")
        return
    if "quality" not in workload:
        raise Unsupported(f"--quality: {workload['name']} cannot be trained to a quality here; leave out --quality")
    _check(options)
    own = next(iter(workload["pipelines"]))
    if options.pipeline != own:
        raise Unsupported(f"--quality reads data sets by {own} only; leave out --pipeline {options.pipeline}")


def _check(options):
    if not options.data:
        raise UserError("--quality: there is no data set; add --data PATH")
    if options.input_only:
        raise UserError("--input-only trains nothing, so there is no quality; leave out --quality")
    if options.checkpoint_every is not None and options.checkpoint is None:
        raise UserError("--checkpoint-every: there is no place for checkpoints; add --checkpoint FOLDER")
    if options.loss_scale is not None and options.precision not in _SCALED:
        raise UserError(f"--loss-scale is for {' and '.join(_SCALED)}, not for {options.precision}; leave it out")


def quality_of(workload):
    """What a description says of it."""
    recipe = recipe_of(workload)
    return {"metric": workload.metric, "better": recipe.better, "target": recipe.target, "epochs": recipe.epochs}


def _float(text, allowed, what):
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and allowed(number)):
        raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
    return number


def _epochs(text):
    return _float(text, lambda x: 0 < x <= _MOST_EPOCHS, f"a number of epochs above 0 and up to {_MOST_EPOCHS}")


def _number(text):
    return _float(text, lambda x: x >= 0, "a number of at least 0")


def _share(text):
    return _float(text, lambda x: 0 <= x < 1, "a share of at least 0 and less than 1")


def _scale(text):
    return _float(text, lambda x: x > 0, "a number above 0")
