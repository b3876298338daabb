"""The steps of a cell: forward, backward, accumulation, optimizer."""

import tensorflow as tf

from optimizer import make_optimizer


class Steps:
    """Trains the phases of a model on the same batches, until it is told to use others: one for each accumulated pass."""

    def __init__(self, phases, batches, settings, scale, xla, job):
        self._phases = phases
        self._batches = batches
        self._scale = scale
        self._job = job
        self._optimizers = [make_optimizer(settings, phase.parameters) for phase in phases]

        def compiled(function):
            return tf.function(function, jit_compile=xla or None, autograph=False)

        def bind(function, things):
            return [job.inner(lambda *arguments, thing=thing: function(thing, *arguments), xla) for thing in things]

        self._backwards = bind(self._backward, phases)
        self._moves = bind(self._move, self._optimizers)
        self._one_pass = job.whole(self._take_one_pass, xla)
        self._result = job.whole(job.result, xla)
        # With accumulation every pass is a call of its own. In one graph the executor would begin all at once, and
        # hold the activations of all.
        self._passes = [compiled(lambda batch, sums, phase=phase: self._add(phase, batch, sums)) for phase in phases]
        self._applies = [job.whole(lambda sums, move=move: self._apply(move, sums), xla) for move in self._moves]
        self._update = tf.function(scale.update, autograph=False)

    def use(self, batches):
        """Of the same shapes: nothing is traced again."""
        self._batches = batches

    def step(self):
        """One optimizer step of every phase. Gives the sum of their losses."""
        requests = self._job.requests()
        if len(self._batches) == 1:
            return self._one_pass(self._batches[0], requests)
        return self._result(self._accumulated_step(), requests)

    def gradients(self):
        """(parameters, gradients) of each phase in the first step. No optimizer is needed between the phases: the
        second one's batches were made before the first one learned."""
        result = []
        batches = self._batches
        for number, phase in enumerate(self._phases):
            gradients, _, batches = self._sum_of_passes(number, batches)
            average = self._job.whole(lambda *parts: self._job.average(list(parts)), xla=False)
            result.append((phase.parameters, average(*gradients)))
        return result

    def _take_one_pass(self, batch, requests):
        losses = []
        for backward, move in zip(self._backwards, self._moves):
            gradients, loss, batch = backward(batch)
            self._apply(move, gradients)
            losses.append(loss)
        self._scale.update()
        return self._job.result(tf.add_n(losses), requests)

    def _accumulated_step(self):
        total = 0.0
        batches = self._batches
        for number, apply in enumerate(self._applies):
            sums, loss, batches = self._sum_of_passes(number, batches)
            apply(sums)
            total += loss
        self._update()
        return total

    def _sum_of_passes(self, number, batches):
        """Of a phase: the gradients, the loss, and the batches for the phase behind it."""
        sums = [tf.zeros_like(parameter) for parameter in self._phases[number].parameters]
        total = 0.0
        passed = []
        for batch in batches:
            sums, loss, batch = self._passes[number](batch, sums)
            passed.append(batch)
            total += loss
        return sums, total, passed

    def _add(self, phase, batch, sums):
        gradients, loss, batch = self._backward(phase, batch)
        return [one + other for one, other in zip(sums, gradients)], loss, batch

    def _apply(self, move, gradients):
        move(self._job.average(gradients))

    def _move(self, optimizer, gradients):
        self._scale.apply(gradients, lambda: optimizer.apply(gradients))

    def _backward(self, phase, batch):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(phase.parameters)
            loss, batch = phase(batch)
            loss = loss / len(self._batches)
            scaled = self._scale.scale(loss)
        # Rows of an embedding become a whole matrix: the optimizers of the contract move all rows.
        gradients = [tf.convert_to_tensor(part) for part in tape.gradient(scaled, phase.parameters)]
        return self._scale.unscale(gradients), loss, batch
