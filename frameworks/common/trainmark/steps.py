"""The steps of a run, from the first to the `end` event."""

from .host import peak_host_bytes
from .stop import stop_requested


def train_steps(options, events, timer, step, peak_device_bytes=lambda: None):
    """Calls `step()`, which gives a loss, until all steps are done or the stop is asked for. Gives the losses."""
    items = options.batch * options.accumulate
    losses = []

    def tell(wait):
        for timed in timer.take(wait):
            events.step(len(losses), timed.end_ns, timed.duration_ns, items, timed.loss)
            losses.append(timed.loss)

    stopped = False
    done = 0
    while done < options.steps and not stopped:
        timer.begin()
        timer.end(step())
        done += 1
        tell(wait=False)
        stopped = stop_requested()
    tell(wait=True)
    events.memory(peak_host_bytes(), peak_device_bytes())
    events.end(done, "stop" if stopped else "steps")
    return losses
