"""Times and losses of steps on PyTorch."""

import torch

from trainmark.event_timer import EventTimer
from trainmark.timing import HostTimer


def make_timer(device):
    return CudaTimer() if device == "cuda" else HostTimer()


class CudaTimer(EventTimer):
    def __init__(self):
        super().__init__()
        self._losses = torch.empty(self._MOST_UNDER_WAY, pin_memory=True)

    def _keep(self, place, loss):
        self._losses[place].copy_(loss, non_blocking=True)

    def _read(self, place):
        return self._losses[place].item()

    @staticmethod
    def _record():
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event
