"""Between the contract's tensors and those of frameworks whose channels come last.

Such a framework has a variable for each tensor, known by its path: the names of the layers around it, and what it is
in its layer (`kernel`, `scale`, `embedding`, `bias`, `mean`, `var`, as Flax calls them).
"""

_NAMES = {"kernel": "weight", "scale": "weight", "embedding": "weight", "mean": "running_mean", "var": "running_var"}

# Linear: [out, in] and [in, out]. Convolution: [out, in, height, width] and [height, width, in, out]; a transposed
# one has `in` and `out` the other way round in both.
_FROM_CONTRACT = {2: (1, 0), 4: (2, 3, 1, 0)}
_TO_CONTRACT = {2: (1, 0), 4: (3, 2, 0, 1)}


def contract_name(path):
    *layers, what = path
    return ".".join([*layers, _NAMES.get(what, what)])


def contract_shape(path, shape):
    return tuple(shape[axis] for axis in _TO_CONTRACT[len(shape)]) if path[-1] == "kernel" else tuple(shape)


def to_contract(path, array):
    return array.transpose(_TO_CONTRACT[array.ndim]) if path[-1] == "kernel" else array


def from_contract(path, array):
    return array.transpose(_FROM_CONTRACT[array.ndim]) if path[-1] == "kernel" else array
