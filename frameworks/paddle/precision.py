"""The precisions of docs/workloads.md."""

import os
from contextlib import nullcontext

import paddle
from paddle.base import core

_AUTOCAST = {"amp-fp16": ("O1", "float16"), "amp-bf16": ("O1", "bfloat16"), "fp16": ("O2", "float16")}


class Precision:
    def __init__(self, name, device, first_scale, fixed_scale=None):
        """`first_scale` adapts, `fixed_scale` does not."""
        self._name = name
        # Its defaults are the contract's. Where it is not enabled it passes everything on as it is.
        self.scaler = paddle.amp.GradScaler(enable=name in ("amp-fp16", "fp16"), init_loss_scaling=first_scale)
        if fixed_scale is not None:
            self.scaler = paddle.amp.GradScaler(init_loss_scaling=fixed_scale, use_dynamic_loss_scaling=False)
        if device == "cuda":
            _allow_tf32(name == "tf32")

    def scope(self):
        """In which a forward pass is to be done."""
        if self._name not in _AUTOCAST:
            return nullcontext()
        level, dtype = _AUTOCAST[self._name]
        return paddle.amp.auto_cast(level=level, dtype=dtype)

    def decorate(self, model, optimizers):
        """In fp16 the weights are rounded, but for the norms', and the optimizers keep master weights."""
        if self._name == "fp16":
            paddle.amp.decorate(model, optimizers, level="O2", dtype="float16", master_weight=True)

    def convert_batch(self, batch):
        if self._name != "fp16":
            return batch
        half = {name: tensor.astype("float16") for name, tensor in batch.items() if tensor.is_floating_point()}
        return {**batch, **half}


def _allow_tf32(allowed):
    core.set_cublas_switch(allowed)
    core.set_cudnn_switch(allowed)
    if not allowed:
        os.environ["NVIDIA_TF32_OVERRIDE"] = "0"  # the libraries read it when they are first used
