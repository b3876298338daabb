"""Between the contract's names and those of the modules that others wrote.

A table gives for each layer of the contract the path of the module that is this layer, or the paths of several
whose rows, in this order, are its rows.
"""

import numpy as np
import torch
from torch import nn

from trainmark.shards import own_rows

_TENSORS = ("weight", "bias", "running_mean", "running_var")


class Linear(str):
    """The path of a 1×1 convolution that the contract calls a linear layer."""


def own_names(model):
    """The table of a model whose modules already have the contract's names."""
    return {path: path for path, module in model.named_modules() if any(True for _ in _own_tensors(module))}


class ContractTensors:
    """The weights and running values of a model by their names in the contract."""

    def __init__(self, model, table, shards=None, job=None):
        """`shards`: by name, those of which this model has some rows only; `job` has the others."""
        self._shards = shards or {}
        self._job = job
        self._parts = {}
        for ours, theirs in table.items():
            paths = [theirs] if isinstance(theirs, str) else theirs
            modules = [model.get_submodule(path) for path in paths]
            as_matrix = isinstance(theirs, Linear)
            for name, _ in _own_tensors(modules[0]):
                tensors = [getattr(module, name) for module in modules]
                self._parts[f"{ours}.{name}"] = (tensors, as_matrix and name == "weight")
        self._check_that_all_are_named(model)

    @torch.no_grad()
    def assign(self, arrays):
        for name in self._parts:
            shard = self._shards.get(name)
            self._assign(name, own_rows(arrays, name, shard) if shard else arrays[name])

    def shapes(self):
        return {
            name: (self._rows(name, tensors), *_shaped(tensors[0], as_matrix).shape[1:])
            for name, (tensors, as_matrix) in self._parts.items()
        }

    def values(self, masters):
        """`masters`: of parameters in half precision, the fp32 weights behind them."""
        return {
            name: self._whole(name, [masters.get(tensor, tensor) for tensor in tensors], as_matrix)
            for name, (tensors, as_matrix) in self._parts.items()
        }

    def elsewhere(self):
        """How many numbers other ranks have."""
        rows = {name: shard.all - shard.count for name, shard in self._shards.items()}
        return sum(count * self._parts[name][0][0][0].numel() for name, count in rows.items())

    def gradients(self):
        """Those that are there: of the parameters of the phase that has just been differentiated."""
        return {
            name: self._whole(name, [tensor.grad for tensor in tensors], as_matrix)
            for name, (tensors, as_matrix) in self._parts.items()
            if tensors[0].grad is not None
        }

    def _rows(self, name, tensors):
        return self._shards[name].all if name in self._shards else sum(len(tensor) for tensor in tensors)

    def _whole(self, name, tensors, as_matrix):
        """With the rows of other ranks. All of them ask for the same at the same time."""
        if name not in self._shards:
            return _joined(tensors, as_matrix)
        shard, (own,) = self._shards[name], tensors
        padded = own.detach().new_zeros((shard.each, *own.shape[1:]))
        padded[: shard.count] = own.detach()
        return _joined([self._job.gather_rows(padded)[: shard.all]], as_matrix)

    def _assign(self, name, array):
        tensors, as_matrix = self._parts[name]
        rows = np.cumsum([len(tensor) for tensor in tensors])[:-1]
        for tensor, part in zip(tensors, np.split(array, rows)):
            tensor.copy_(torch.from_numpy(part).view(tensor.shape))

    def _check_that_all_are_named(self, model):
        named = {id(tensor) for tensors, _ in self._parts.values() for tensor in tensors}
        for path, module in model.named_modules():
            for name, tensor in _own_tensors(module):
                assert id(tensor) in named, f"the contract has no name for {path}.{name}"


def _own_tensors(module):
    """The parameters and running values of a module itself, without those of its children."""
    buffers = module.named_buffers(recurse=False) if isinstance(module, nn.modules.batchnorm._BatchNorm) else ()
    own = {**dict(module.named_parameters(recurse=False)), **dict(buffers)}
    return [(name, own[name]) for name in _TENSORS if name in own]


def _shaped(tensor, as_matrix):
    return tensor.flatten(1) if as_matrix else tensor


def _joined(tensors, as_matrix):
    parts = [_shaped(tensor.detach().float().cpu(), as_matrix) for tensor in tensors]
    return torch.cat(parts).contiguous().numpy()
