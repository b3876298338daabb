"""The frame of a trainer: failures become events and exit codes."""

import sys

from .events import EventWriter
from .failure import BadItem, BenchGone, OutOfMemory, Unsupported, UserError
from .requests import ignore_requests, listen_for_requests


def run_program(name, body):
    """Calls `body(events)` and gives the exit code: 0, 1 for a failure that was told, 2 for wrong arguments."""
    listen_for_requests()
    try:
        events = EventWriter.from_environment()
        try:
            body(events)
            ignore_requests()
            return 0
        except (UserError, BenchGone):
            raise
        except Unsupported as error:
            return _fail(name, events, "unsupported", str(error))
        except OutOfMemory as error:
            return _fail(name, events, "out-of-memory", str(error))
        except MemoryError:
            return _fail(name, events, "out-of-memory", "the host is out of memory")
        except BadItem as error:
            return _fail(name, events, "other", str(error))
        except Exception as error:
            sys.excepthook(*sys.exc_info())  # where it happened, for the log
            return _fail(name, events, "other", f"{type(error).__name__}: {error}")
    except UserError as error:
        _say(name, error)
        return 2
    except BenchGone as error:
        _say(name, error)
        return 1


def _say(name, message):
    print(f"{name}: {message}", file=sys.stderr, flush=True)


def _fail(name, events, kind, message):
    _say(name, message)
    try:
        events.failure(kind, message)
    except BenchGone:
        pass  # nobody is left to be told
    return 1
