"""What a workload is trained with to reach a quality: the block `training` of workloads/NAME.yaml."""

from dataclasses import dataclass, replace
from typing import Union

from ..failure import UserError
from ..workloads import Adam, AdamW, Sgd, make_settings

SCHEDULES = ("cosine", "linear", "inverse-sqrt", "constant")
AUGMENTATIONS = ("resized-crops", "shifts", "none")


@dataclass(frozen=True)
class Recipe:
    optimizer: Union[Sgd, Adam, AdamW]
    reference_batch: int  # items per step of the job that the learning rate is for
    decay: str  # "matrices": parameters of one dimension are exempt; "all"
    schedule: str
    warm_up: float  # in epochs
    epochs: float
    evaluate_every: float  # in epochs
    target: float
    better: str
    label_smoothing: float = 0.0
    augmentation: str = "resized-crops"

    def __post_init__(self):
        assert self.schedule in SCHEDULES, self.schedule
        assert self.augmentation in AUGMENTATIONS, self.augmentation
        assert self.decay in ("matrices", "all") and self.better in ("higher", "lower")

    def decays(self, dimensions):
        """Is a parameter of so many dimensions subject to weight decay?"""
        return self.decay == "all" or dimensions > 1

    def facts(self):
        """Of the `start` event."""
        kind = type(self.optimizer).__name__.lower()
        return {
            "optimizer": kind,
            "learning_rate": self.optimizer.learning_rate,
            "weight_decay": getattr(self.optimizer, "weight_decay", 0.0),
            "decay": self.decay,
            "schedule": self.schedule,
            "warm_up": self.warm_up,
            "label_smoothing": self.label_smoothing,
            "augmentation": self.augmentation,
        }


def recipe_of(workload):
    """As its contract has it; None where it has none."""
    if not workload.training:
        return None
    block = dict(workload.training)
    schedule = block.pop("schedule")
    return Recipe(
        **{**block, "optimizer": make_settings(block["optimizer"])},
        schedule=schedule["kind"],
        warm_up=float(schedule["warm_up"]),
        epochs=float(schedule["epochs"]),
    )


def resolved_recipe(workload, options):
    """With what the options say instead, and the learning rate in proportion to the items per step of the job."""
    recipe = recipe_of(workload)
    names = ("epochs", "evaluate_every", "warm_up", "label_smoothing")
    given = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    if options.label_smoothing and "label_smoothing" not in workload.training:
        raise UserError(f"--label-smoothing: the loss of {workload.name} has no labels to smooth; leave it out")
    settings = recipe.optimizer
    if options.weight_decay is not None:
        if not hasattr(settings, "weight_decay"):
            raise UserError(f"--weight-decay: the optimizer of {workload.name} has none; leave it out")
        settings = settings._replace(weight_decay=options.weight_decay)
    rate = settings.learning_rate if options.learning_rate is None else options.learning_rate
    items = options.batch * options.accumulate * options.position.ranks
    settings = settings._replace(learning_rate=rate * items / recipe.reference_batch)
    return replace(recipe, optimizer=settings, **given)
