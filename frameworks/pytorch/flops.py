"""How many floating-point operations a step takes."""

import torch
from torch.utils.flop_counter import FlopCounterMode


def flops_per_item(phases, batch, items):
    """Of training: the backward pass costs twice the forward pass. The tensors need no memory (meta)."""
    counter = FlopCounterMode(display=False)
    with torch.no_grad(), counter:
        for phase in phases:
            _, batch = phase(batch)
    return 3 * counter.get_total_flops() / items
