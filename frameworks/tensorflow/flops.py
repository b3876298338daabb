"""How many floating-point operations a step takes: counted in TensorFlow's graph of the forward pass."""

import math

import tensorflow as tf


def forward_flops(phases, batch):
    """2 × multiply-adds of the convolutions and matrix products; nothing is computed."""

    @tf.function(autograph=False)
    def forward(batch):
        for phase in phases:
            _, batch = phase(batch)

    graph = forward.get_concrete_function(batch).graph
    return sum(_COUNTERS[node.type](node) for node in graph.get_operations() if node.type in _COUNTERS)


def _of_product(node):
    transposed = node.get_attr("transpose_a" if node.type == "MatMul" else "adj_x")
    inner = node.inputs[0].shape[-2 if transposed else -1]
    return 2 * math.prod(node.outputs[0].shape) * inner


def _of_convolution(node):
    kernel = node.inputs[1].shape
    # A transposed convolution spreads each of its inputs; the others gather for each of their outputs.
    many = node.inputs[2] if node.type == "Conv2DBackpropInput" else node.outputs[0]
    return 2 * math.prod(many.shape) * math.prod(kernel) // many.shape[-1]


_COUNTERS = {
    "MatMul": _of_product,
    "BatchMatMulV2": _of_product,
    "Conv2D": _of_convolution,
    "Conv2DBackpropInput": _of_convolution,
}
