"""The steps of a run, from the first to the `end` event."""

from .host import peak_host_bytes
from .stop import stop_requested


def train_steps(options, events, trainer, step):
    """Calls `step()`, which gives a loss of the trainer's, until all steps are done or the stop is asked for. Gives the
    losses. Of several ranks, all must stop after the same step: they tell each other beside the loss."""
    timer, meter = trainer.make_timer(), trainer.meter
    items = options.batch * options.accumulate
    losses = []
    last = options.steps
    stopped = False

    def tell(wait):
        nonlocal last, stopped
        for timed in timer.take(wait):
            times = meter.take() if meter else None
            events.step(len(losses), timed.end_ns, timed.duration_ns, items, timed.loss, times)
            losses.append(timed.loss)
            if timed.stop and not stopped:
                # No rank knows of it before the first of these steps, and all before the last of them.
                stopped = True
                last = min(last, len(losses) + timer.most_under_way)

    if meter:
        meter.take()  # what was before the first step
    done = 0
    while done < last:
        timer.begin()
        timer.end(step())
        done += 1
        tell(wait=False)
        if options.position.alone and stop_requested():
            stopped = True
            break
    tell(wait=True)
    events.memory(peak_host_bytes(), trainer.peak_device_bytes())
    events.end(done, "stop" if stopped else "steps")
    return losses
