"""How many floating-point operations a step takes."""

import math

import paddle

from trainmark.phases import phases_of


def flops_per_item(build, arrays, items):
    """Of training: the backward pass costs twice the forward pass. Counted on a program that is written but not run:
    its tensors need no memory."""
    program, startup = paddle.static.Program(), paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(program, startup), paddle.utils.unique_name.guard():
            batch = {name: paddle.static.data(name, array.shape, str(array.dtype)) for name, array in arrays.items()}
            for phase in phases_of(build()):
                _, batch = phase(batch)
    finally:
        paddle.disable_static()
    return 3 * sum(map(_flops, program.global_block().ops)) / items


def _flops(operation):
    """2 × multiply-adds of a convolution or a matrix product, 0 of anything else."""
    kind = operation.name().rpartition(".")[2]
    if kind in ("conv2d", "depthwise_conv2d"):
        weight = operation.operand_source(1).shape
        return 2 * math.prod(operation.result(0).shape) * math.prod(weight[1:])
    if kind == "conv2d_transpose":  # each number that comes in meets [out, height, width] of the weight
        weight = operation.operand_source(1).shape
        return 2 * math.prod(operation.operand_source(0).shape) * math.prod(weight[1:])
    if kind == "matmul":
        inner = operation.operand_source(0).shape[-2 if operation.attrs()["transpose_x"] else -1]
        return 2 * math.prod(operation.result(0).shape) * inner
    if kind == "flash_attn":  # [batch, tokens, heads, width]: two products, also what a causal mask hides
        query, key = operation.operand_source(0).shape, operation.operand_source(1).shape
        return 4 * math.prod(query) * key[1]
    return 0
