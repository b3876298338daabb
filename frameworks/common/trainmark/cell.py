"""The training of one cell, from its weights to its `end` event, whatever framework does the steps."""

from functools import cached_property
from importlib import import_module

import numpy as np

from .data import labels_in, make_batch
from .data_sets import open_data_set, open_evaluation_set
from .failure import UserError
from .files import save_losses
from .host import cpu_name
from .input import Dropped, Source
from .options import start_fields
from .out_of_memory import told_as_out_of_memory
from .pair_order import order_of_pairs
from .quality.checkpoint import Checkpoint
from .quality.recipe import resolved_recipe
from .quality.training import QualityTraining
from .steps import train_steps
from .weights import InitialWeights, load_tensors, save_tensors
from .workloads import find_workload


_MOST_TRIES = 8  # of taking gradients that overflow: each halves the scale


class Cell:
    """What is trained: the resolved options and the contract of their workload."""

    def __init__(self, options):
        self.options = options
        self.workload = find_workload(options.workload)
        self.size = self.workload.reshaped(options.size, options.shapes)
        self.position = options.position
        self.cuda = options.device == "cuda"

    def make_batches(self):
        """One dictionary of arrays for each accumulated pass. The ranks' batches side by side are the job's."""
        options, position = self.options, self.position
        return [
            make_batch(
                self.workload,
                self.size,
                options.seed,
                (number * position.ranks + position.rank) * options.batch,
                options.batch,
            )
            for number in range(options.accumulate)
        ]

    @cached_property
    def code(self):
        """The framework's own file of this workload."""
        return import_module(f"workloads.{self.workload.name}")

    @cached_property
    def data_set(self):
        """What the batches are made of; None where they are made up. All labels have a place in the model."""
        if not self.options.data:
            return None
        return self._checked(open_data_set(self.options.data, self.workload.data, self.options.formats), "data")

    @cached_property
    def evaluation_set(self):
        """What quality is measured on."""
        options = self.options
        found = open_evaluation_set(
            self.data_set, options.data, options.evaluation_data, self.workload.data, options.formats
        )
        return self._checked(found, "evaluation_data" if options.evaluation_data else "data")

    @property
    def batches_per_epoch(self):
        """Of this rank. A set that is smaller than one batch of all ranks is repeated."""
        if self.workload.batch_unit == "tokens":
            return self.pair_order.batches
        return max(1, self.data_set.samples // self.position.ranks // self.options.batch)

    @cached_property
    def pair_order(self):
        """Of sentences, whose batches are counted in tokens."""
        return order_of_pairs(self)

    @cached_property
    def recipe(self):
        """Of a training to a quality; else None."""
        return resolved_recipe(self.workload, self.options) if self.options.quality else None

    @property
    def optimizer(self):
        """Its settings."""
        return self.recipe.optimizer if self.recipe else self.workload.optimizer

    @cached_property
    def checkpoint(self):
        if not self.options.checkpoint:
            return None
        options, recipe = self.options, self.recipe
        names = ("workload", "size", "mode", "precision", "batch", "accumulate", "seed", "dropout", "shapes")
        identity = {name: str(getattr(options, name)) for name in names}
        identity["ranks"] = str(self.position.ranks)
        identity["data"] = f"{self.data_set.format} with {self.data_set.samples} items"
        identity["epochs"] = repr(recipe.epochs)
        identity["recipe"] = str({**recipe.facts(), "loss_scale": options.loss_scale})
        return Checkpoint(options.checkpoint, identity, self.position.rank)

    @cached_property
    def resumed(self):
        """How far the training came that this one continues; None where it begins."""
        return self.checkpoint.read_progress() if self.checkpoint else None

    @property
    def first_batch(self):
        """(epoch, batch) of the data set that the training begins with."""
        batches = self.resumed.step * self.options.accumulate if self.resumed else 0
        return divmod(batches, self.batches_per_epoch)

    def _checked(self, data_set, option):
        classes = getattr(self.size, "classes", 0)
        if data_set.classes > classes:
            raise UserError(
                f"--{option.replace('_', '-')}: {getattr(self.options, option)} has {data_set.classes} classes and the "
                f"model {classes}; write --classes {data_set.classes}"
            )
        return data_set

    def labels_in(self, arrays):
        """With a data set every rank's loss counts the same, as for its users."""
        return 1 if self.options.data else labels_in(self.workload, arrays)


def train_cell(make_trainer, options, description, events):
    """`make_trainer`: the framework's own class of FrameworkTrainer."""
    with told_as_out_of_memory(make_trainer.memory_errors):
        cell = Cell(options)
        if options.input_only:
            _make_and_drop(make_trainer.make_feed(cell), cell, start_fields(options, description), events)
            return
        trainer = make_trainer(cell)
        feed = make_trainer.make_feed(cell) if cell.data_set else None
        trainer.set_weights(_first_weights(options, trainer.shapes()))
        _save(options, "save_weights", trainer.weights)
        facts = {**_facts(cell, trainer), **({"data": feed.facts()} if feed else {})}
        training = None
        if cell.recipe:
            evaluation = make_trainer.make_evaluation(cell)
            training = QualityTraining(cell, trainer, events, evaluation)
            facts["quality"] = training.facts()
        events.start({**start_fields(options, description), **facts})
        trainer.prepare()
        if training:
            training.restore()
        source = Source(feed, trainer.use, options.accumulate) if feed else None
        _train_and_save(options, events, trainer, source, training)
        if training:
            evaluation.close()
        if feed:
            feed.close()
        trainer.leave()


def _make_and_drop(feed, cell, fields, events):
    events.start({**fields, "device_name": cpu_name(), "data": feed.facts()})
    dropped = Dropped(feed)
    train_steps(cell.options, events, dropped, dropped.step, Source(feed, dropped.use, cell.options.accumulate))
    feed.close()


def _first_weights(options, shapes):
    if options.load_weights:
        return load_tensors(options.load_weights, shapes)
    return InitialWeights(shapes, options.seed)


def _facts(cell, trainer):
    math = trainer.math()
    if not cell.position.alone and "sharded-classes" in cell.workload.capabilities:
        math["classes"] = "sharded" if trainer.shards else "whole"  # on every rank
    return {
        **trainer.collectives,
        "device_name": trainer.gpu_name() if cell.cuda else cpu_name(),
        "parameters": trainer.parameters(),
        "flops_per_item": trainer.flops_per_item(),
        "threads": trainer.threads(),
        "math": math,
    }


def _train_and_save(options, events, trainer, source, training):
    gradients = {}
    step = trainer.step
    if "save_gradients" in options.saved:
        step = _keeping_first_gradients(trainer, gradients)
    losses = train_steps(options, events, trainer, step, source, training)
    _save(options, "save_gradients", lambda: gradients)
    if options.save_losses:
        save_losses(options.save_losses, losses)
    _save(options, "save_trained", trainer.weights)


def _keeping_first_gradients(trainer, gradients):
    """The trainer's step, which also fills in the gradients of the first one. A step whose scaled gradients overflow
    changes nothing: the next one has the same, by half the scale."""
    tries = _MOST_TRIES

    def step():
        nonlocal tries
        if not tries:
            return trainer.step()
        gradients.clear()
        loss = trainer.step(gradients.update)
        finite = all(np.isfinite(array).all() for array in gradients.values())
        tries = 0 if finite else tries - 1
        return loss

    return step


def _save(options, name, make):
    if name not in options.saved:
        return
    tensors = make()  # by all ranks: each may have a part of them
    path = getattr(options, name)
    if path:
        save_tensors(path, tensors)
