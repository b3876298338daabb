"""What a framework must be able to do, so that trainmark.cell can train on it."""

from abc import ABC, abstractmethod
from contextlib import contextmanager

from .out_of_memory import MemoryErrors
from .scaling import unscaled
from .timing import HostTimer, ReadingTimer


class FrameworkTrainer(ABC):
    """Trains one cell, always on the same batches, or on those of a data set. frameworks/NAME/trainer.py has a class
    `Trainer` that inherits from it and knows all tensors by their names in the contract.

    It is made, given its weights, asked what it is, prepared, and then asked for steps: in this order.
    """

    memory_errors = MemoryErrors()
    collectives = {}  # what the `start` event tells of those between ranks
    meter = None  # of the communication between ranks
    shards = {}  # the tensors of which this rank has some rows only (trainmark.shards)

    def __init__(self, cell):
        """Chooses the device, meets the other ranks and builds the model. What cannot be trained is refused here."""
        self.cell = cell
        self.options = cell.options

    @staticmethod
    def make_feed(cell):
        """The `trainmark.input.Feed` of the cell's data set. Asked of a framework that offers pipelines, also without a
        trainer: then the device must be chosen here."""
        raise NotImplementedError

    @abstractmethod
    def shapes(self):
        """Of the weights and running values."""

    @abstractmethod
    def set_weights(self, arrays):
        """`arrays[name]`, for each name of `shapes`, may be made when it is asked for."""

    @abstractmethod
    def weights(self):
        """The weights and running values as arrays of fp32."""

    @abstractmethod
    def parameters(self):
        """How many numbers are trained."""

    @abstractmethod
    def flops_per_item(self):
        """Of training: the backward pass costs twice the forward pass."""

    @abstractmethod
    def threads(self):
        """How many the host computes with."""

    def gpu_name(self):
        """Asked of a framework that can use one."""
        raise NotImplementedError

    @abstractmethod
    def math(self):
        """Whatever else may make a step faster or slower: libraries, compilers, the order of images in memory."""

    def prepare(self):
        """For the steps: optimizers, master copies, compiled functions. Nothing is saved or told of it."""

    def use(self, batches):
        """Those of the next step, as the feed has made them. Asked of a framework that offers pipelines."""
        raise NotImplementedError

    @abstractmethod
    def step(self, keep_gradients=None):
        """One optimizer step. Gives the loss as the framework has it, so that a device need not be waited for; of
        several ranks, the sum of `requests_as_number` comes behind it. `keep_gradients(arrays)` is called with the gradients
        of this step, without a scale, or several times with some of them."""

    read_loss = staticmethod(float)  # waits for a loss of `step` and gives its number or numbers

    def make_timer(self):
        """A CPU has done its work when a call returns; a GPU when its loss has come to the host."""
        return ReadingTimer(self.read_loss) if self.cell.cuda else HostTimer(self.read_loss)

    def peak_device_bytes(self):
        """None where there is no device but the host, or it does not say."""

    def leave(self):
        """All is reported and saved."""

    # Asked of a framework that trains to a quality:

    @staticmethod
    def make_evaluation(cell):
        """What gives the batches of the cell's evaluation set, as often as it is asked for its `batches()`: of this rank's
        `own_range` of items each once, in their order; the last may be smaller."""
        raise NotImplementedError

    def set_learning_rate(self, rate):
        """Of the next steps."""
        raise NotImplementedError

    @contextmanager
    def evaluating(self):
        """The scope of an evaluation: dropout is off, and norms use their running values."""
        raise NotImplementedError
        yield

    def evaluate(self, batch):
        """The outputs of the model as arrays, as `trainmark.quality.metrics` wants them."""
        raise NotImplementedError

    def gather(self, part):
        """Those of all ranks, in their order. Whoever has nothing to say waits for the others."""
        return [part]

    def state(self, step):
        """All that the steps from `step` on depend on, as arrays by name: weights, running values, optimizers, scales,
        chances."""
        raise NotImplementedError

    def own_state(self, step):
        """What of it only this rank has."""
        raise NotImplementedError

    def restore(self, arrays, step):
        """Those of `state`. Raises UserError where they are of another training."""
        raise NotImplementedError


class StatefulTrainer(FrameworkTrainer):
    """Of a framework whose model holds its weights and gradients. Whoever inherits from it makes `_tensors`, the model's
    by their names in the contract, and, to be prepared, `_steps`."""

    cuda_timer = None  # of a framework that has events of its own

    def shapes(self):
        return self._tensors.shapes()

    def set_weights(self, arrays):
        self._tensors.assign(arrays)

    def weights(self):
        return self._tensors.values()

    def step(self, keep_gradients=None):
        if keep_gradients is None:
            return self._steps.step()
        return self._steps.step(lambda scale: keep_gradients(unscaled(self._tensors.gradients(), scale)))

    def use(self, batches):
        self._steps.use(batches)

    def make_timer(self):
        return self.cuda_timer() if self.cell.cuda and self.cuda_timer else super().make_timer()
