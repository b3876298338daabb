"""The request to stop: the step that is being done is the last one."""

import signal

_requested = False


def _on_signal(_number, _frame):
    global _requested
    _requested = True


def listen_for_stop():
    for number in (signal.SIGUSR1, signal.SIGTERM):
        signal.signal(number, _on_signal)
        signal.siginterrupt(number, False)  # a framework's system calls should not fail because of us


def stop_requested():
    return _requested
