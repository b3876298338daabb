"""The request to stop: the step that is being done is the last one."""

import os
import signal

_STOPS = (signal.SIGUSR1, signal.SIGTERM)

_requested = False
_signals = None  # the end of a pipe from which the numbers of the signals that came are read


def _ignore(_number, _frame):
    """Python needs a handler. It is called by the interpreter, where and when that finds time: inside a compiled step it
    may be taken for a part of the step. The pipe is written by the system's own handler, at once."""


def listen_for_stop():
    global _signals
    _signals, writer = os.pipe()
    for end in (_signals, writer):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    take_signals()


def take_signals():
    """Also from a framework that took them while it was imported."""
    for number in _STOPS:
        signal.signal(number, _ignore)
        signal.siginterrupt(number, False)  # a framework's system calls should not fail because of us


def ignore_stop():
    """From now on a request comes too late. Python itself would let it end the process once the interpreter shuts down."""
    for number in _STOPS:
        signal.signal(number, signal.SIG_IGN)


def stop_requested():
    global _requested
    if not _requested and _signals is not None:
        # A compiler inside the process (LLVM under Triton and XLA) takes SIGUSR1 for itself when it is first used, in
        # whatever step that is. The bench asks again for what came before we took it back.
        take_signals()
        try:
            _requested = any(number in _STOPS for number in os.read(_signals, 64))
        except BlockingIOError:
            pass  # nothing came
    return _requested
