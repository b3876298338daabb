"""The training of one cell, from its weights to its `end` event, whatever framework does the steps."""

from .data import make_batch
from .files import save_losses
from .options import start_fields
from .steps import train_steps
from .weights import initial_value, load_tensors, save_tensors
from .workloads import WORKLOADS


def make_batches(options):
    """One dictionary of arrays for each accumulated pass."""
    size = WORKLOADS[options.workload].sizes[options.size]
    return [
        make_batch(options.workload, size, options.seed, number * options.batch, options.batch)
        for number in range(options.accumulate)
    ]


def set_weights(options, tensors):
    """Loads the weights or makes them from the seed, and saves them where that is asked for. `tensors` knows those of a
    model by their names in the contract: `load`, `initialize`, `shapes`, `values`."""
    if options.load_weights:
        tensors.load(load_tensors(options.load_weights, tensors.shapes()))
    else:
        tensors.initialize(options.seed)
    if options.save_weights:
        save_tensors(options.save_weights, tensors.values())


def train_and_save(options, events, timer, step, tensors, peak_device_bytes=lambda: None, meter=None):
    """All steps, and the files of gradients, losses and trained weights that are asked for. `step(on_gradients)` gives
    the loss and calls `on_gradients(scale)`, if it is not None, when gradients (of a phase) are there, multiplied by the
    scale."""
    gradients = {} if options.save_gradients else None

    def keep_gradients(scale):
        gradients.update({name: array / scale for name, array in tensors.gradients().items()})

    def next_step():
        return step(keep_gradients if gradients == {} else None)

    losses = train_steps(options, events, timer, next_step, peak_device_bytes, meter)
    if options.save_gradients:
        save_tensors(options.save_gradients, gradients)
    _save_end(options, losses, tensors.values)


def train_cell(options, description, events, trainer, timer):
    """`trainer` knows all tensors by their names in the contract. It has
    - `shapes()`: of the weights and running values;
    - `set_weights(arrays)` and `weights()`;
    - `facts()`: what the `start` event tells beside the cell itself;
    - `gradients()`: those of the first step, without taking it;
    - `step()`: gives the loss;
    - `peak_device_bytes()`, None where there is no device but the host.
    """
    trainer.set_weights(_first_weights(options, trainer.shapes()))
    if options.save_weights:
        save_tensors(options.save_weights, trainer.weights())
    events.start({**start_fields(options, description), **trainer.facts()})
    if options.save_gradients:
        save_tensors(options.save_gradients, trainer.gradients())
    losses = train_steps(options, events, timer, trainer.step, trainer.peak_device_bytes)
    _save_end(options, losses, trainer.weights)


def _save_end(options, losses, weights):
    if options.save_losses:
        save_losses(options.save_losses, losses)
    if options.save_trained:
        save_tensors(options.save_trained, weights())


def _first_weights(options, shapes):
    if options.load_weights:
        return load_tensors(options.load_weights, shapes)
    return {name: initial_value(name, shape, options.seed) for name, shape in shapes.items()}
