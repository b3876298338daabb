"""What the bench asks for between two steps: the stop, a pause, its end (docs/protocol.md)."""

import math
import os
import select
import signal

_STOPS = (signal.SIGUSR1, signal.SIGTERM)
_PAUSE, _GO_ON = signal.SIGTSTP, signal.SIGCONT
# Stops count whole. So small a share of one for a pause, that those of all ranks stay below it.
_PAUSE_SHARE = 2.0**-16

_heard = _STOPS
_stopped = False
_paused = False
_signals = None  # the end of a pipe from which the numbers of the signals that came are read


def _ignore(_number, _frame):
    """Python needs a handler. It is called by the interpreter, where and when that finds time: inside a compiled step it
    may be taken for a part of the step. The pipe is written by the system's own handler, at once."""


def listen_for_requests():
    global _signals, _heard
    if "TRAINMARK_EVENTS" in os.environ:  # without a bench, Ctrl-Z is the user's
        _heard = (*_STOPS, _PAUSE, _GO_ON)
    _signals, writer = os.pipe()
    for end in (_signals, writer):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    # Threads that begin later inherit it: see _let_signals_come.
    signal.pthread_sigmask(signal.SIG_BLOCK, _requests())
    take_signals()


def take_signals():
    """Also from a framework that took them while it was imported."""
    for number in _heard:
        signal.signal(number, _ignore)
        signal.siginterrupt(number, False)  # a framework's system calls should not fail because of us


def _requests():
    """Without SIGTERM, by which frameworks end the processes that they start; these would inherit that it is blocked."""
    return set(_heard) - {signal.SIGTERM}


def _let_signals_come():
    """Requests come here and in a pause, and nowhere else. The code that oneDNN generates for products uses the stack
    pointer for data on the heap, and a handler that interrupts it overwrites them."""
    before = signal.pthread_sigmask(signal.SIG_UNBLOCK, _requests())
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_requests():
    """From now on a request comes too late. Python itself would let it end the process once the interpreter shuts down."""
    for number in _heard:
        signal.signal(number, signal.SIG_IGN)


def leave_requests_to_others():
    """In a process that was forked: the pipe is that of the trainer, and so are the requests. SIGTERM is left to the
    framework, which ends its workers by it."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGUSR1, _PAUSE):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(_GO_ON, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _requests())


def stop_requested():
    _listen()
    return _stopped


def pause_requested():
    _listen()
    return _paused and not _stopped


def wait_out_pause(events):
    """Until the pause is over, or the stop is asked for, or nobody is left at the other end of the pipe `events`."""
    poll = select.poll()
    poll.register(_signals, select.POLLIN)
    poll.register(events, 0)
    before = signal.pthread_sigmask(signal.SIG_UNBLOCK, _requests())
    try:
        while pause_requested():
            if any(descriptor == events for descriptor, _ in poll.poll()):
                return
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def requests_as_number():
    """What ranks tell each other in every step, summed over all of them: each has seen its own requests only, and all
    must obey in the same step."""
    return float(stop_requested()) + _PAUSE_SHARE * pause_requested()


def is_stop(requests):
    return requests >= 1


def is_pause(requests):
    return requests - math.floor(requests) > 0


def _listen():
    global _stopped, _paused
    if _stopped or _signals is None:
        return
    # A compiler inside the process (LLVM under Triton and XLA) takes SIGUSR1 for itself when it is first used, in
    # whatever step that is. The bench asks again for what came before we took it back.
    take_signals()
    _let_signals_come()
    try:
        numbers = os.read(_signals, 64)
    except BlockingIOError:
        return  # nothing came
    for number in numbers:
        _stopped = _stopped or number in _STOPS
        if number in (_PAUSE, _GO_ON):
            _paused = number == _PAUSE
