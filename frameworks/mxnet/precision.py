"""The precisions of docs/workloads.md."""

import os

import numpy as np
from mxnet.contrib import amp
from mxnet.contrib.amp.loss_scaler import LossScaler


class Precision:
    """To be made before the model: autocast changes the operators that a model is made of."""

    def __init__(self, name):
        self._half = name == "fp16"
        if name == "amp-fp16":
            amp.init("float16")
        if name == "fp32":
            os.environ["NVIDIA_TF32_OVERRIDE"] = "0"  # the libraries read it when they are first used
        # Its numbers are the contract's.
        self._scaler = LossScaler() if name in ("amp-fp16", "fp16") else None

    def convert_model(self, model):
        if self._half:
            model.cast("float16")  # Gluon leaves the norms' own parameters fp32

    def convert_batch(self, batch):
        if not self._half:
            return batch
        return {name: array.astype("float16") if array.dtype == np.float32 else array for name, array in batch.items()}

    def scale(self):
        return self._scaler.loss_scale if self._scaler else 1.0

    def update(self, parameters):
        """Whether the gradients may be used; where they have overflowed, the scale of the next step is smaller."""
        if not self._scaler:
            return True
        overflow = self._scaler.has_overflow(parameters)
        self._scaler.update_scale(overflow)
        return not overflow

    @property
    def settings(self):
        """Of the optimizer."""
        return {"multi_precision": self._half}
