"""The steps of a cell: forward, backward, accumulation, optimizer."""

import paddle

from optimizer import make_optimizer


class Steps:
    """Trains the phases of a model on the same batches, until it is told to use others: one for each accumulated pass."""

    def __init__(self, model, phases, batches, shares, settings, precision, mode, job, decays=None):
        """`shares`: what the loss of each batch counts in that of the job; `decays`: see make_optimizer."""
        self._phases = phases
        self._batches = batches
        self._factors = [share / len(batches) for share in shares]
        self._job = job
        self._precision = precision
        self.optimizers = [make_optimizer(settings, phase.parameters, decays) for phase in phases]
        precision.decorate(model, self.optimizers)
        for phase in phases:
            if len(phases) > 1:
                self._take_gradients_of(phase)
            job.wrap(model, phase)
        if mode == "static":
            for phase in phases:
                phase.wrap(to_static)

    def use(self, batches):
        self._batches = batches

    def set_learning_rate(self, rate):
        for optimizer in self.optimizers:
            optimizer.set_lr(rate)

    def step(self, on_gradients=None):
        """One optimizer step of every phase. Gives the sum of their losses, which is not read here, so that a device
        need not be waited for. `on_gradients(scale)` is called when those of a phase are there."""
        losses = []
        batches = self._batches
        for phase, optimizer in zip(self._phases, self.optimizers):
            if len(self._phases) > 1:
                self._take_gradients_of(phase)
            batches = [self._backward(phase, number, batch, losses) for number, batch in enumerate(batches)]
            if on_gradients:
                on_gradients(float(self._precision.scaler.scale(paddle.ones([]))))
            self._job.agree_on_overflow(self._precision.scaler, optimizer)
            self._precision.scaler.step(optimizer)
            optimizer.clear_grad(set_to_zero=False)
        self._precision.scaler.update()
        return self._job.result(sum(losses[1:], losses[0]))

    def _backward(self, phase, number, batch, losses):
        with self._job.before_backward(phase, last=number + 1 == len(self._batches)):
            with self._precision.scope():
                loss, batch = phase(batch)
            if self._factors[number] != 1:
                loss = loss * self._factors[number]
            self._precision.scaler.scale(loss).backward()
        losses.append(loss.detach())
        return batch

    def _take_gradients_of(self, current):
        """A player's turn needs no gradients of the other's weights."""
        for phase in self._phases:
            for parameter in phase.parameters:
                parameter.stop_gradient = phase is not current


def to_static(loss):
    return paddle.jit.to_static(loss, full_graph=True)
