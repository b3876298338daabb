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
    if options.save_losses:
        save_losses(options.save_losses, losses)


def _first_weights(options, shapes):
    if options.load_weights:
        return load_tensors(options.load_weights, shapes)
    return {name: initial_value(name, shape, options.seed) for name, shape in shapes.items()}
