"""The tensors of a model by their names in the contract.

The layers have the contract's names. PaddlePaddle's own names of their tensors differ, and its linear weights are
[in, out], the contract's [out, in].
"""

import paddle
from paddle import nn

_NAMES = {
    "weight": "weight",
    "_weight": "weight",  # of PReLU
    "bias": "bias",
    "_mean": "running_mean",
    "_variance": "running_var",
}


class ContractTensors:
    def __init__(self, model):
        self._tensors = {}  # name to tensor and whether it is transposed
        for path, layer in model.named_sublayers():
            for theirs, tensor in layer._parameters.items():  # running values are among them
                if tensor is not None:
                    turned = isinstance(layer, nn.Linear) and theirs == "weight"
                    self._tensors[f"{path}.{_NAMES[theirs]}"] = (tensor, turned)

    def assign(self, arrays):
        for name in self._tensors:
            self._assign(name, arrays[name])

    def shapes(self):
        return {
            name: tuple(tensor.shape[::-1] if turned else tensor.shape)
            for name, (tensor, turned) in self._tensors.items()
        }

    def values(self):
        return {name: _as_array(tensor, turned) for name, (tensor, turned) in self._tensors.items()}

    def gradients(self):
        """Those that are there: of the parameters of the phase that has just been differentiated."""
        return {
            name: _as_array(tensor.grad, turned)
            for name, (tensor, turned) in self._tensors.items()
            if tensor.grad is not None
        }

    def _assign(self, name, array):
        tensor, turned = self._tensors[name]
        tensor.set_value(paddle.to_tensor(array.T if turned else array))


def _as_array(tensor, turned):
    array = tensor.astype("float32").numpy()
    return array.T if turned else array
