"""Times and losses of steps on PaddlePaddle."""

import paddle

from trainmark.event_timer import EventTimer
from trainmark.timing import HostTimer


def make_timer(device):
    return CudaTimer() if device == "cuda" else HostTimer(lambda loss: loss.tolist())


class CudaTimer(EventTimer):
    def __init__(self):
        super().__init__()
        self._losses = [None] * self.most_under_way

    def _keep(self, place, loss):
        self._losses[place] = loss._copy_to(paddle.CUDAPinnedPlace(), False)  # False: without waiting

    def _read(self, place):
        return self._losses[place].tolist()

    @staticmethod
    def _record():
        event = paddle.device.cuda.Event(enable_timing=True)
        event.record()
        return event
