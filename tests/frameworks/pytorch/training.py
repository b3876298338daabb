"""Training inside the test's own process: to import PyTorch takes longer than the training."""

import json
import os
import tempfile

import loop
import trainer
from offer import describe
from trainmark import options as arguments
from trainmark.events import EventWriter


def train(workload, *words):
    """The events of a tiny training."""
    options = arguments.parse(trainer.make_parser(), ["--workload", workload, "--size", "tiny", *map(str, words)])
    description = describe()
    arguments.resolve(options, description)
    with tempfile.TemporaryFile() as file:
        loop.train(options, description, EventWriter(file.fileno(), readable=False))
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return [json.loads(line) for line in file]


def losses_of(events):
    return [event["loss"] for event in events if event["event"] == "step"]
