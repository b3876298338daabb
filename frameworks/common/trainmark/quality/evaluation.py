"""One pass over the evaluation set."""

import math
from typing import NamedTuple, Optional

from .metrics import make_metric


class Result(NamedTuple):
    quality: Optional[float]  # None where it is not finite
    loss: Optional[float]


def evaluate(cell, trainer, batches, is_cancelled):
    """`batches`: of this rank's part of the set. Gives None where it was cancelled."""
    metric = make_metric(cell.workload, cell.size)
    with trainer.evaluating():
        for batch in batches:
            if is_cancelled():
                return None
            metric.add(trainer.evaluate(batch))
    parts = trainer.gather(metric.parts())
    return Result(_finite(metric.quality(parts)), _finite(metric.loss(parts)))


def own_range(samples, position):
    """The items of this rank, one behind the other."""
    return range(position.rank * samples // position.ranks, (position.rank + 1) * samples // position.ranks)


def _finite(number):
    return number if number is not None and math.isfinite(number) else None
