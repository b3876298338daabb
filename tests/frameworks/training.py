"""Training inside the test's own process: to import a framework takes longer than the training.

`offer`, `trainer` and `loop` are those of the framework whose folder support.use_framework() has put on the path.
"""

import json
import os
import tempfile

from trainmark.events import EventWriter
from trainmark.trainer import make_options


def train(workload, *words):
    """The events of a tiny training."""
    import trainer
    from offer import OFFER

    words = ["--workload", workload, "--size", "tiny", *map(str, words)]
    options, description = make_options(OFFER, words, getattr(trainer, "add_arguments", None))
    with tempfile.TemporaryFile() as file:
        trainer.import_train()(options, description, EventWriter(file.fileno(), readable=False))
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return [json.loads(line) for line in file]


def losses_of(events):
    return [event["loss"] for event in events if event["event"] == "step"]


def prepare(workload):
    """The options of a tiny training, and the device made ready for it: that can be done only before all else."""
    from loop import choose_device
    from offer import OFFER
    from trainmark.trainer import make_options

    options, _ = make_options(OFFER, ["--workload", workload, "--size", "tiny"])
    choose_device(options)
    return options


def mean(numbers):
    return sum(numbers) / len(numbers)
