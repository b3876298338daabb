"""Times and losses of steps on PyTorch."""

import torch

from trainmark.communication import EventMeter
from trainmark.event_timer import EventTimer


def _record_event():
    event = torch.cuda.Event(enable_timing=True)
    event.record()
    return event


class CudaMeter(EventMeter):
    _record = staticmethod(_record_event)


class CudaTimer(EventTimer):
    def __init__(self):
        super().__init__()
        self._losses = torch.empty(self.most_under_way, 2, pin_memory=True)

    def _keep(self, place, loss):
        self._numbers = loss.numel()
        self._losses[place, : self._numbers].copy_(loss.reshape(-1), non_blocking=True)

    def _read(self, place):
        return self._losses[place, : self._numbers].tolist()

    _record = staticmethod(_record_event)
