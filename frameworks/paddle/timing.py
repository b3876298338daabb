"""Times and losses of steps on PaddlePaddle."""

import paddle

from trainmark.event_timer import EventTimer


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
