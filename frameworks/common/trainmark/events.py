"""What a trainer tells the bench (docs/protocol.md), or, without a bench, people on stdout."""

import json
import math
import os
import select
import sys
import time

from .failure import BenchGone, UserError

_FLUSH_AFTER_NS = 100_000_000  # the protocol's tenth of a second
_BUFFER_BYTES = 64 * 1024  # what a Linux pipe takes without blocking
_MESSAGE_LENGTH = 8 * 1024  # a line must stay under the protocol's 64 KiB
_NS_PER_SECOND = 1_000_000_000


class EventWriter:
    """Writes events to a file descriptor; steps wait in a buffer, so that writing does not disturb them."""

    def __init__(self, descriptor, readable):
        self._descriptor = descriptor
        self._readable = readable
        self._unit = "items"
        self._lines = []
        self._bytes = 0
        self._last_flush_ns = 0

    @classmethod
    def from_environment(cls):
        value = os.environ.get("TRAINMARK_EVENTS")
        if value is None:
            return cls(sys.stdout.fileno(), readable=True)
        try:
            descriptor = int(value)
            # A process that a framework starts must not hold the pipe open when we are gone.
            os.set_inheritable(descriptor, False)
        except (ValueError, OverflowError, OSError):
            raise UserError(
                f"TRAINMARK_EVENTS is '{value}': it must be the number of an open file descriptor; unset it "
                "to read the steps on stdout"
            ) from None
        return cls(descriptor, readable=False)

    def start(self, fields):
        self._unit = fields.get("unit", self._unit)
        self._event("start", fields)
        self.flush()

    def step(self, index, end_ns, duration_ns, items, loss, communication=None, input_ns=None):
        """`loss`: None where there is none; `communication`: nanoseconds in which collectives were under way, and in which
        nothing else was; `input_ns`: those in which the step waited for its batch."""
        if self._readable:
            self._add(self._readable_step(index, duration_ns, items, loss, input_ns))
        else:
            self._add(_step_event(index, end_ns, duration_ns, items, loss, communication, input_ns))
        # The next step will be about as long as this one: a line must not wait for its end in vain.
        now = time.monotonic_ns()
        if now + duration_ns - self._last_flush_ns >= _FLUSH_AFTER_NS or self._bytes >= _BUFFER_BYTES:
            self.flush()
            self._last_flush_ns = now

    def memory(self, peak_host_bytes, peak_device_bytes=None):
        fields = {"peak_host_bytes": peak_host_bytes}
        if peak_device_bytes is not None:
            fields["peak_device_bytes"] = peak_device_bytes
        self._event("memory", fields)

    def evaluation(self, fields):
        """Of a model, behind the steps that it comes after."""
        self._event("evaluation", fields)
        self.flush()

    def checkpoint(self, fields):
        self._event("checkpoint", fields)
        self.flush()

    def failure(self, kind, message):
        self._event("failure", {"kind": kind, "message": message[:_MESSAGE_LENGTH]})
        self.flush()

    def pause(self):
        """All steps so far are reported, and the device has nothing to do."""
        self._event("pause", {})
        self.flush()

    def end(self, steps, why):
        self._event("end", {"steps": steps, "why": why})
        self.flush()

    def fileno(self):
        return self._descriptor

    def flush(self):
        content = "".join(self._lines).encode(errors="replace")
        self._lines.clear()
        self._bytes = 0
        _write_all(self._descriptor, content)

    def _add(self, line):
        self._lines.append(line)
        self._bytes += len(line)

    def _event(self, name, fields):
        if not self._readable:
            self._add(json.dumps({"event": name, **fields}) + "\n")
            return
        words = [value if isinstance(value, str) else json.dumps(value) for value in fields.values()]
        self._add(name + "".join(f"  {key} {word}" for key, word in zip(fields, words)) + "\n")

    def _readable_step(self, index, duration_ns, items, loss, input_ns):
        speed = items * _NS_PER_SECOND / duration_ns if duration_ns else 0
        known = "" if loss is None else f"  loss {loss:.6g}"
        known += "" if input_ns is None else f"  {input_ns / 1e6:.3f} ms for data"
        return f"step {index:6}  {duration_ns / 1e6:10.3f} ms  {speed:10.2f} {self._unit}/s{known}\n"


def _step_event(index, end_ns, duration_ns, items, loss, communication, input_ns):
    known = ""
    if loss is not None:
        number = repr(loss) if math.isfinite(loss) else "null"
        known = f',"loss":{number}'
    if communication:
        under_way, exposed = communication
        known += f',"communication":{_seconds(under_way)},"exposed":{_seconds(exposed)}'
    if input_ns is not None:
        known += f',"data":{_seconds(input_ns)}'
    return (
        f'{{"event":"step","step":{index},"end":{_seconds(end_ns)},"seconds":{_seconds(duration_ns)},'
        f'"items":{items}{known}}}\n'
    )


def _seconds(ns):
    return f"{ns // _NS_PER_SECOND}.{ns % _NS_PER_SECOND:09}"


def _write_all(descriptor, content):
    while content:
        try:
            content = content[os.write(descriptor, content) :]
        except BlockingIOError:  # a bench may have made its pipe non-blocking, and ours with it
            poll = select.poll()
            poll.register(descriptor, select.POLLOUT)
            poll.poll()
        except OSError:
            raise BenchGone() from None
