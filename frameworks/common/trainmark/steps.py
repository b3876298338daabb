"""The steps of a run, from the first to the `end` event."""

from collections import deque
from contextlib import nullcontext

from .host import peak_host_bytes
from .requests import pause_requested, stop_requested, wait_out_pause


def train_steps(options, events, trainer, step, source=None, between=None):
    """Calls `step()`, which gives a loss of the trainer's, until all steps are done or the stop is asked for. Gives the
    losses. Of several ranks, all must stop or pause after the same step: they tell each other beside the loss, or, where
    nothing is trained, each does what it is asked for. `source`: fetches the batches of a step, where these are new in
    each. `between`: whom to ask what is to be done before a step and after it, outside of its time."""
    timer, meter = trainer.make_timer(), trainer.meter
    alone = options.position.alone or options.input_only
    items = deque()  # of the steps that are not told of yet
    losses = []
    last = options.steps
    pause_after = -1  # that many steps, as the ranks have agreed
    stopped = False

    def tell(wait):
        nonlocal last, stopped, pause_after
        for timed in timer.take(wait):
            times = meter.take() if meter else None
            events.step(len(losses), timed.end_ns, timed.duration_ns, items.popleft(), timed.loss, times, timed.input_ns)
            losses.append(timed.loss)
            # No rank knows of it before the first of these steps, and all before the last of them.
            known_by_all = len(losses) + timer.most_under_way
            if timed.stop and not stopped:
                stopped = True
                last = min(last, known_by_all)
            if timed.pause and pause_after < len(losses):
                pause_after = known_by_all

    def forget_since_last_step():
        timer.restart()
        if meter:
            meter.end_step()
            meter.take()

    forget_since_last_step()
    done = 0
    while done < last:
        if between:
            between.before_step(done)
        timer.begin()
        if source:
            source.fetch()
            timer.arrived()
        items.append(source.items if source else options.batch * options.accumulate)
        timer.end(step())
        if meter:
            meter.end_step()
        done += 1
        if between:
            between.after_step(items[-1])
        tell(wait=False)
        stopped = stopped or (alone and stop_requested())
        if between and not (alone and stopped) and between.is_due(done):
            tell(wait=True)
            if not stopped:  # the same for all ranks, which have heard of the same steps
                between.act(done)
            forget_since_last_step()
            stopped = stopped or (alone and stop_requested())
        if alone and stopped:
            break
        if pause_requested() if alone else done == pause_after:
            tell(wait=True)
            with source.at_rest() if source else nullcontext():
                events.pause()
                wait_out_pause(events.fileno())
    tell(wait=True)
    events.memory(peak_host_bytes(), trainer.peak_device_bytes())
    events.end(done, "stop" if stopped else "steps")
    return losses
