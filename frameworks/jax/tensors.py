"""The variables of a Flax model by their names in the contract."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import traverse_util

from trainmark.layout import contract_name, contract_shape, from_contract, to_contract


class ContractTensors:
    def __init__(self, model, batch):
        """`batch`: of shapes. Nothing is computed: the contract says what the tensors hold."""
        shapes = jax.eval_shape(lambda: model.init(jax.random.key(0), **jax.tree.map(_zeros, batch)))
        self._shapes = {
            kind: traverse_util.flatten_dict(shapes.get(kind, {})) for kind in ("params", "batch_stats")
        }

    def shapes(self):
        return {
            contract_name(path): contract_shape(path, variable.shape)
            for variables in self._shapes.values()
            for path, variable in variables.items()
        }

    def parameters(self):
        return sum(variable.size for variable in self._shapes["params"].values())

    def make_variables(self, kind, arrays):
        """`kind`: params or batch_stats. `arrays`: by their names in the contract."""
        return traverse_util.unflatten_dict(
            {path: jnp.asarray(from_contract(path, arrays[contract_name(path)])) for path in self._shapes[kind]}
        )

    @staticmethod
    def to_contract(variables):
        flat = traverse_util.flatten_dict(variables)
        return {contract_name(path): to_contract(path, np.asarray(variable)) for path, variable in flat.items()}


def _zeros(shape):
    return jnp.zeros(shape.shape, shape.dtype)
