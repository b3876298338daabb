"""The steps of a cell: forward, backward, accumulation, optimizer."""

from mxnet import autograd, gluon, nd


class Steps:
    """Trains a model, always on the same batches: one for each accumulated pass."""

    def __init__(self, model, batches, settings, precision, wait, job):
        """`wait`: whether a step is to have ended when it returns; MXNet itself is never waited for."""
        self._model = model
        self._batches = batches
        self._precision = precision
        self._wait = wait
        self._job = job
        self._parameters = [
            parameter for parameter in model.collect_params().values() if parameter.grad_req != "null"
        ]
        if len(batches) > 1:
            for parameter in self._parameters:
                parameter.grad_req = "add"
        # The momentum begins at 0, so the first step sets it; the decay is added to the gradient.
        optimizer = {
            "learning_rate": settings.learning_rate,
            "momentum": settings.momentum,
            "wd": settings.weight_decay,
            **precision.settings,
        }
        self._trainer = gluon.Trainer(
            model.collect_params(), "sgd", optimizer, kvstore=job.store, update_on_kvstore=False if job.store else None
        )

    def step(self, on_gradients=None):
        """One optimizer step. Gives its loss. `on_gradients(scale)` is called when they are there."""
        scale = self._precision.scale()
        losses = [self._backward(batch, scale) for batch in self._batches]
        if self._job.store:
            self._trainer.allreduce_grads()
        divisor = scale * self._job.ranks  # the gradients are the sums of all ranks
        if on_gradients:
            on_gradients(divisor)
        if self._precision.update(self._parameters):
            if self._job.store:
                self._trainer.update(divisor)
            else:
                self._trainer.step(divisor)
        if len(losses) > 1:
            for parameter in self._parameters:
                parameter.zero_grad()
        loss = self._job.result(sum(losses[1:], losses[0]))
        if self._wait:
            nd.waitall()
        return loss

    def _backward(self, batch, scale):
        with autograd.record():
            loss = self._model(*batch.values())
            part = loss / len(self._batches) if len(self._batches) > 1 else loss
            scaled = part * scale if scale != 1 else part
        scaled.backward()
        return part.detach()
