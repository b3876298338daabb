"""All that the next steps of a training depend on, as arrays by name."""

import numpy as np
import paddle

from trainmark.failure import UserError
from trainmark.order import epoch_seed


class State:
    """Weights and running values have the names of the model's layers. An optimizer's tensors stand behind the name of the
    parameter that they belong to: PaddlePaddle's own names count layers, and another model may have been made before."""

    def __init__(self, model, optimizers, scaler, seed):
        self._model = model
        self._optimizers = optimizers
        self._scaler = scaler
        self._seed = seed

    def arrays(self, step):
        """PaddlePaddle does not give the state of its generator away. So it starts again with each checkpoint, in the training
        that goes on at once as in the one that continues later."""
        self._begin_chances(step)
        tensors = {f"model.{name}": tensor.numpy() for name, tensor in self._model.state_dict().items()}
        for optimizer in self._optimizers:
            for key, tensor in optimizer.state_dict().items():
                ours, what = self._split(key)
                tensors[f"optimizer.{ours}.{what}"] = tensor.numpy()
        for name, value in self._scaler.state_dict().items():
            tensors[f"scale.{name}"] = np.asarray(value)
        return tensors

    def own_arrays(self, step, shards):
        """What of them only this rank has: its running values, and its rows of what is divided."""
        trained = {f"model.{name}" for name, tensor in self._model.named_parameters() if not tensor.stop_gradient}
        beginnings = tuple(f"{kind}.{name}" for kind in ("model", "optimizer") for name in shards)
        return {
            name: array
            for name, array in self.arrays(step).items()
            if (name.startswith("model.") and name not in trained) or (beginnings and name.startswith(beginnings))
        }

    def restore(self, arrays, step):
        arrays = dict(arrays)
        for name, tensor in self._model.state_dict().items():
            tensor.set_value(_take(arrays, f"model.{name}", tensor.shape))
        for optimizer in self._optimizers:
            optimizer.set_state_dict(self._optimizer_state(optimizer, arrays))
        scale = self._scaler.state_dict()
        if scale:
            self._scaler.load_state_dict(
                {name: _like(value, _take(arrays, f"scale.{name}")) for name, value in scale.items()}
            )
        if arrays:
            raise UserError(f"--checkpoint: this training has no '{next(iter(arrays))}'; write another folder")
        self._begin_chances(step)

    def _begin_chances(self, step):
        paddle.seed(epoch_seed(self._seed, step) % 2**63)

    def _optimizer_state(self, optimizer, arrays):
        """By PaddlePaddle's names in this process."""
        theirs = {id(parameter) for parameter in optimizer._parameter_list}
        state = {}
        for ours, parameter in self._model.named_parameters():
            prefix = f"optimizer.{ours}."
            for name in [name for name in arrays if id(parameter) in theirs and name.startswith(prefix)]:
                state[f"{parameter.name}_{name.removeprefix(prefix)}"] = paddle.to_tensor(arrays.pop(name))
        return state

    def _split(self, key):
        """One of the optimizer's names: our name of the parameter, and what it is of it."""
        owner = max(
            (pair for pair in self._model.named_parameters() if key.startswith(f"{pair[1].name}_")),
            key=lambda pair: len(pair[1].name),
        )
        return owner[0], key[len(owner[1].name) + 1 :]


def _like(value, array):
    return array if isinstance(value, np.ndarray) else type(value)(array.item())


def _take(arrays, name, shape=None):
    if name not in arrays:
        raise UserError(f"--checkpoint: '{name}' is missing in it; write another folder")
    array = arrays.pop(name)
    if shape is not None and array.shape != tuple(shape):
        raise UserError(f"--checkpoint: '{name}' has the shape {list(array.shape)} in it, the model's {list(shape)}")
    return array
