"""How many floating-point operations a step takes: counted in the program that JAX has traced."""

import math

import jax


def forward_flops(function, *shapes):
    """2 × multiply-adds of the convolutions and matrix products; nothing is computed."""
    return _count(jax.make_jaxpr(function)(*shapes).jaxpr)


def _count(jaxpr):
    total = 0
    for equation in jaxpr.eqns:
        if equation.primitive.name in _COUNTERS:
            total += _COUNTERS[equation.primitive.name](equation)
        for inner in _programs_in(equation.params):
            total += _count(inner)
    return total


def _programs_in(params):
    """Of a call, a loop, a function with a derivative of its own: the program that it runs."""
    for value in jax.tree.leaves(list(params.values()), is_leaf=lambda value: hasattr(value, "eqns")):
        if hasattr(value, "eqns"):
            yield getattr(value, "jaxpr", value)


def _of_product(equation):
    (contracted, _), _ = equation.params["dimension_numbers"]
    left = equation.invars[0].aval.shape
    return 2 * math.prod(equation.outvars[0].aval.shape) * math.prod(left[axis] for axis in contracted)


def _of_convolution(equation):
    kernel = equation.invars[1].aval.shape
    outputs = kernel[equation.params["dimension_numbers"].rhs_spec[0]]
    return 2 * math.prod(equation.outvars[0].aval.shape) * math.prod(kernel) // outputs


_COUNTERS = {"dot_general": _of_product, "conv_general_dilated": _of_convolution}
