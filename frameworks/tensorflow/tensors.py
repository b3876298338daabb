"""The variables of a model by their names in the contract."""

import numpy as np

from trainmark.layout import contract_name, contract_shape, from_contract, to_contract


class ContractTensors:
    def __init__(self, model):
        self._variables = dict(model.variables_by_path())

    def shapes(self):
        return {contract_name(path): contract_shape(path, v.shape) for path, v in self._variables.items()}

    def assign(self, arrays):
        for path, variable in self._variables.items():
            variable.assign(np.ascontiguousarray(from_contract(path, arrays[contract_name(path)])))

    def values(self):
        return {contract_name(path): to_contract(path, variable.numpy()) for path, variable in self._variables.items()}

    def name_gradients(self, parameters, gradients):
        paths = {variable.ref(): path for path, variable in self._variables.items()}
        named = [(paths[variable.ref()], gradient.numpy()) for variable, gradient in zip(parameters, gradients)]
        return {contract_name(path): to_contract(path, array) for path, array in named}
