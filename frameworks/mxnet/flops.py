"""How many floating-point operations a step takes."""

import json
import math

import mxnet as mx


def flops_per_item(model, shapes, items):
    """Of training: the backward pass costs twice the forward pass. Counted on the model's symbol, which is not run.
    All its products, convolutions and linear layers, have a weight [out, …]: each number that comes out is a sum over
    the rest of it."""
    internals = model(*(mx.sym.var(name) for name in shapes)).get_internals()
    _, outputs, _ = internals.infer_shape(**shapes)
    shape_of = dict(zip(internals.list_outputs(), outputs))
    nodes = json.loads(internals.tojson())["nodes"]
    total = 0
    for node in nodes:
        if node["op"] in ("Convolution", "FullyConnected"):
            weight = nodes[node["inputs"][1][0]]
            total += math.prod(shape_of[f"{node['name']}_output"]) * math.prod(_shape(weight, shape_of)[1:])
    return 3 * 2 * total / items


def _shape(node, shape_of):
    """Of a parameter, or of what was made of one."""
    return shape_of[node["name"] if node["op"] == "null" else f"{node['name']}_output"]
