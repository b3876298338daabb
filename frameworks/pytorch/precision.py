"""The precisions of docs/workloads.md."""

from contextlib import nullcontext

import torch
from torch.nn.modules.batchnorm import _BatchNorm

_AUTOCAST = {"amp-fp16": torch.float16, "amp-bf16": torch.bfloat16}
_WHOLE = {"fp16": torch.float16, "fp64": torch.float64}  # of weights and data alike


class FixedScaler(torch.amp.GradScaler):
    """Of a scale that does not adapt. A step that overflows is left out nevertheless."""

    def __init__(self, device, scale):
        super().__init__(device, init_scale=scale)
        self._fixed = scale

    def update(self, new_scale=None):
        super().update(self._fixed)


class Precision:
    def __init__(self, name, device, first_scale, fixed_scale=None):
        """`first_scale` adapts, `fixed_scale` does not."""
        self._device = device
        self._autocast = _AUTOCAST.get(name)
        self._whole = _WHOLE.get(name)
        # Its defaults are the contract's. Where it is not enabled it passes everything on as it is.
        self.scaler = torch.amp.GradScaler(device, init_scale=first_scale, enabled=name in ("amp-fp16", "fp16"))
        if fixed_scale is not None:
            self.scaler = FixedScaler(device, fixed_scale)
        torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
        torch.backends.cudnn.allow_tf32 = name == "tf32"

    def scope(self):
        """In which a forward pass is to be done."""
        return torch.autocast(self._device, self._autocast) if self._autocast else nullcontext()

    def convert_batch(self, batch):
        if not self._whole:
            return batch
        return {name: tensor.to(self._whole) if tensor.is_floating_point() else tensor for name, tensor in batch.items()}

    def convert_model(self, model):
        """Gives the fp32 master copies of the parameters that are fp32 no more.

        BatchNorm keeps its fp32 parameters: its kernels take them beside fp16 activations. Those of LayerNorm take no
        such pairs; its parameters have master copies as all others, which gives the same numbers as fp32
        parameters that are rounded where they are used.
        """
        masters = {}
        if self._whole == torch.float64:
            model.double()
        if self._whole != torch.float16:
            return masters
        for module in model.modules():
            if isinstance(module, _BatchNorm):
                continue
            for parameter in module.parameters(recurse=False):
                if parameter not in masters:  # one that two modules share comes twice
                    masters[parameter] = parameter.detach().clone()
                    parameter.data = parameter.data.half()
            for name, buffer in module.named_buffers(recurse=False):
                if buffer.is_floating_point():
                    setattr(module, name, buffer.half())
        return masters
