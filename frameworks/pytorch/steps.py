"""The steps of a cell: forward, backward, accumulation, optimizer."""

import torch

from optimizer import Optimizer

_COMPILE_MODES = {"compile": "default", "graph": "reduce-overhead"}


class Steps:
    """Trains the phases of a model on the same batches, until it is told to use others: one for each accumulated pass."""

    def __init__(self, model, phases, batches, shares, settings, masters, precision, mode, job, decays=None):
        """`shares`: what the loss of each batch counts in that of the job; `decays`: see Optimizer."""
        self._phases = phases
        self._batches = batches
        self._factors = [share / len(batches) for share in shares]
        self._job = job
        self._precision = precision
        self._graph = mode == "graph"
        # One scaler for all optimizers, as PyTorch advises: only the step that overflowed is left out, but the
        # scale of all halves.
        self.optimizers = [
            Optimizer(settings, phase.parameters, masters, precision.scaler, job, decays) for phase in phases
        ]
        for phase in phases:
            self._take_gradients_of(phase)
            job.wrap(model, phase)
        if mode in _COMPILE_MODES:
            for phase in phases:
                phase.wrap(lambda loss: torch.compile(loss, mode=_COMPILE_MODES[mode]))

    def use(self, batches):
        """Of the same shapes. CUDA graphs copy them to where the ones before were."""
        self._batches = batches

    def set_learning_rate(self, rate):
        for optimizer in self.optimizers:
            optimizer.set_learning_rate(rate)

    def step(self, on_gradients=None):
        """One optimizer step of every phase. Gives the sum of their losses, which is not read here, so that a device
        need not be waited for. `on_gradients(scale)` is called when those of a phase are there."""
        if self._graph:
            torch.compiler.cudagraph_mark_step_begin()
        losses = []
        batches = self._batches
        for phase, optimizer in zip(self._phases, self.optimizers):
            if len(self._phases) > 1:
                self._take_gradients_of(phase)
            batches = [self._backward(phase, number, batch, losses) for number, batch in enumerate(batches)]
            if on_gradients:
                on_gradients(self._precision.scaler.get_scale())
            optimizer.step()
            optimizer.forget_gradients()
        self._precision.scaler.update()
        return self._result()

    def _backward(self, phase, number, batch, losses):
        last = number + 1 == len(self._batches)
        with self._job.before_backward(phase, last):
            with self._precision.scope():
                loss, batch = phase(batch)
            if self._factors[number] != 1:
                loss = loss * self._factors[number]
            losses.append(loss.detach())
            if last and phase is self._phases[-1]:
                self._result = self._job.begin_result(sum(losses[1:], losses[0]))
            self._precision.scaler.scale(loss).backward()
        if last:
            self._job.after_backward()
        return batch

    def _take_gradients_of(self, current):
        """A player's turn needs no gradients of the other's weights."""
        for phase in self._phases:
            for parameter in phase.parameters:
                parameter.requires_grad_(phase is current)
