"""The parameters of a model by their names in the contract: its blocks have the contract's names, Gluon's own names of
their parameters differ."""

import mxnet as mx

_NAMES = {"gamma": "weight", "alpha": "weight", "beta": "bias"}


class ContractTensors:
    def __init__(self, model):
        self._parameters = {
            _contract_name(path): parameter for path, parameter in model._collect_params_with_prefix().items()
        }

    def assign(self, arrays):
        for name, parameter in self._parameters.items():
            parameter.set_data(mx.nd.array(arrays[name]))

    def shapes(self):
        return {name: parameter.shape for name, parameter in self._parameters.items()}

    def values(self):
        return {name: _as_array(parameter.data()) for name, parameter in self._parameters.items()}

    def gradients(self):
        return {
            name: _as_array(parameter.grad())
            for name, parameter in self._parameters.items()
            if parameter.grad_req != "null"
        }


def _contract_name(path):
    layer, _, name = path.rpartition(".")
    return f"{layer}.{_NAMES.get(name, name)}"


def _as_array(array):
    return array.astype("float32").asnumpy()
