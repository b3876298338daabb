"""Weights by their names in the contract: from the seed, and from and to files."""

import math

import numpy as np

from .failure import UserError
from .files import write_atomically
from .generator import Generator


def initial_value(name, shape, seed):
    """What the tensor `name` holds before the first step."""
    if name.endswith((".running_mean", ".bias")):
        return np.zeros(shape, np.float32)
    if name.endswith(".running_var"):
        return np.ones(shape, np.float32)
    if len(shape) == 1:
        special = {"prelu": 0.25, "norm3": 0.1}  # norm3 ends a residual branch
        return np.full(shape, special.get(name.split(".")[-2], 1), np.float32)
    return _random_rows(name, shape, seed, 0)


def _random_rows(name, shape, seed, first):
    """`shape`: of the rows from `first` on."""
    width = math.prod(shape[1:])
    return Generator(seed, name).symmetric(shape, math.sqrt(6 / width), first * width)


class InitialWeights:
    """By name, each made when it is asked for: all of them at once would take the memory of a second model."""

    def __init__(self, shapes, seed):
        self._shapes = shapes
        self._seed = seed

    def __getitem__(self, name):
        return initial_value(name, self._shapes[name], self._seed)

    def rows(self, name, first, count):
        """Of a matrix, without making the others."""
        return _random_rows(name, (count, *self._shapes[name][1:]), self._seed, first)


def load_tensors(path, shapes):
    """The tensors of a safetensors file, which must be those of `shapes` (name to shape)."""
    from safetensors.numpy import load_file

    try:
        tensors = load_file(path)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error}") from None
    except Exception as error:  # the library's own kinds have changed with its versions
        raise UserError(f"{path}: not a valid safetensors file: {error}") from None
    for name in tensors:
        if name not in shapes:
            raise UserError(f"{path}: the model has no '{name}'")
    for name, shape in shapes.items():
        if name not in tensors:
            raise UserError(f"{path}: '{name}' is missing")
        if tensors[name].shape != tuple(shape):
            raise UserError(
                f"{path}: '{name}' has the shape {list(tensors[name].shape)}, the model's has {list(shape)}; "
                "another --size?"
            )
    return tensors


def save_tensors(path, tensors):
    from safetensors.numpy import save

    write_atomically(path, save({name: np.ascontiguousarray(array) for name, array in tensors.items()}))
