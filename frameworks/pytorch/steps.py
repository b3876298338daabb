"""The steps of a cell: forward, backward, accumulation, optimizer."""

import torch

from optimizer import Optimizer

_COMPILE_MODES = {"compile": "default", "graph": "reduce-overhead"}


class Trainer:
    """Trains the phases of a model, always on the same batches: one for each accumulated pass."""

    def __init__(self, phases, batches, settings, masters, precision, mode):
        self._phases = phases
        self._batches = batches
        self._precision = precision
        self._graph = mode == "graph"
        # One scaler for all optimizers, as PyTorch advises: only the step that overflowed is left out, but the
        # scale of all halves.
        self._optimizers = [
            Optimizer(settings, phase.parameters, masters, precision.scaler) for phase in phases
        ]
        if mode in _COMPILE_MODES:
            for phase in phases:
                phase.wrap(lambda loss: torch.compile(loss, mode=_COMPILE_MODES[mode]))

    def step(self, on_gradients=None):
        """One optimizer step of every phase. Gives the sum of their losses, which is not read here, so that a device
        need not be waited for. `on_gradients(scale)` is called when those of a phase are there."""
        if self._graph:
            torch.compiler.cudagraph_mark_step_begin()
        losses = []
        batches = self._batches
        for phase, optimizer in zip(self._phases, self._optimizers):
            if len(self._phases) > 1:
                self._take_gradients_of(phase)
            batches = [self._backward(phase, batch, losses) for batch in batches]
            if on_gradients:
                on_gradients(self._precision.scaler.get_scale())
            optimizer.step()
            optimizer.forget_gradients()
        self._precision.scaler.update()
        return sum(losses[1:], losses[0])

    def _backward(self, phase, batch, losses):
        with self._precision.scope():
            loss, batch = phase(batch)
        if len(self._batches) > 1:
            loss = loss / len(self._batches)
        self._precision.scaler.scale(loss).backward()
        losses.append(loss.detach())
        return batch

    def _take_gradients_of(self, current):
        """A player's turn needs no gradients of the other's weights."""
        for phase in self._phases:
            for parameter in phase.parameters:
                parameter.requires_grad_(phase is current)
