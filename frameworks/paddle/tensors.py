"""The tensors of a model by their names in the contract.

The layers have the contract's names. PaddlePaddle's own names of their tensors differ, and its linear weights are
[in, out], the contract's [out, in].
"""

import numpy as np
import paddle
from paddle import nn

from trainmark.shards import own_rows

_NAMES = {
    "weight": "weight",
    "_weight": "weight",  # of PReLU
    "bias": "bias",
    "_mean": "running_mean",
    "_variance": "running_var",
}


class ContractTensors:
    def __init__(self, model, shards=None, job=None):
        """`shards`: by name, those of which this model has some rows only; `job` has the others."""
        self._shards = shards or {}
        self._job = job
        self._tensors = {}  # name to tensor and whether it is transposed
        for path, layer in model.named_sublayers():
            for theirs, tensor in layer._parameters.items():  # running values are among them
                if tensor is not None:
                    turned = isinstance(layer, nn.Linear) and theirs == "weight"
                    self._tensors[f"{path}.{_NAMES[theirs]}"] = (tensor, turned)

    def assign(self, arrays):
        for name in self._tensors:
            shard = self._shards.get(name)
            self._assign(name, own_rows(arrays, name, shard) if shard else arrays[name])

    def shapes(self):
        shapes = {
            name: tuple(tensor.shape[::-1] if turned else tensor.shape)
            for name, (tensor, turned) in self._tensors.items()
        }
        return {**shapes, **{name: (shard.all, *shapes[name][1:]) for name, shard in self._shards.items()}}

    def values(self):
        return {name: self._whole(name, tensor, turned) for name, (tensor, turned) in self._tensors.items()}

    def running(self):
        """The tensors of the running values."""
        return [tensor for name, (tensor, _) in self._tensors.items() if ".running_" in name]

    def elsewhere(self):
        """How many numbers other ranks have."""
        widths = {name: self._tensors[name][0].size // shard.count for name, shard in self._shards.items()}
        return sum((shard.all - shard.count) * widths[name] for name, shard in self._shards.items())

    def gradients(self):
        """Those that are there: of the parameters of the phase that has just been differentiated."""
        return {
            name: self._whole(name, tensor.grad, turned)
            for name, (tensor, turned) in self._tensors.items()
            if tensor.grad is not None
        }

    def _whole(self, name, tensor, turned):
        """With the rows of other ranks. All of them ask for the same at the same time."""
        own, shard = _as_array(tensor, turned), self._shards.get(name)
        if not shard:
            return own
        padded = np.zeros((shard.each, *own.shape[1:]), own.dtype)
        padded[: shard.count] = own
        return self._job.gather_rows(paddle.to_tensor(padded)).numpy()[: shard.all]

    def _assign(self, name, array):
        tensor, turned = self._tensors[name]
        tensor.set_value(paddle.to_tensor(array.T if turned else array))


def _as_array(tensor, turned):
    array = tensor.astype("float32").numpy()
    return array.T if turned else array
