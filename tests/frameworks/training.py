"""Training inside the test's own process: to import a framework takes longer than the training.

`offer` and `trainer` are those of the framework whose folder support.use_framework() has put on the path.
"""

import json
import os
import tempfile

from trainmark.command import import_train, make_options
from trainmark.events import EventWriter


def train(workload, *words):
    """The events of a tiny training."""
    from offer import OFFER

    words = ["--workload", workload, "--size", "tiny", *map(str, words)]
    options, description = make_options(OFFER, words)
    with tempfile.TemporaryFile() as file:
        import_train(OFFER)(options, description, EventWriter(file.fileno(), readable=False))
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return [json.loads(line) for line in file]


def losses_of(events):
    return [event["loss"] for event in events if event["event"] == "step"]


def make_trainer(workload):
    """Of a tiny training. What the framework can be told only once, before all else, has then been told."""
    from offer import OFFER
    from trainer import Trainer
    from trainmark.cell import Cell

    options, _ = make_options(OFFER, ["--workload", workload, "--size", "tiny"])
    return Trainer(Cell(options))


def mean(numbers):
    return sum(numbers) / len(numbers)
