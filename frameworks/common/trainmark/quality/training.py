"""What a training to a quality does between its steps: learning rates, evaluations, checkpoints."""

import time
from dataclasses import replace

from ..requests import stop_requested
from .checkpoint import Progress
from .evaluation import evaluate
from .schedule import Recurring, Schedule

_NS = 1e-9


class QualityTraining:
    """The `between` of trainmark.steps. Steps count from 0 in a training that goes on, too; what was before is added here."""

    def __init__(self, cell, trainer, events, evaluation):
        """`evaluation`: gives the batches of the evaluation set, as often as it is asked to."""
        self._cell = cell
        self._trainer = trainer
        self._events = events
        self._evaluation = evaluation
        options, recipe = cell.options, cell.recipe
        self._steps_per_epoch = max(1, cell.batches_per_epoch // options.accumulate)
        self._schedule = Schedule(recipe, self._steps_per_epoch)
        self._own_items = 0  # that this rank has trained
        begun = cell.resumed or Progress()
        self._progress = replace(begun, evaluations=list(begun.evaluations))
        self._before = self._progress.step
        self._seconds_before = self._progress.seconds
        self._samples_before = self._progress.samples
        options.steps = max(0, min(options.steps, self._schedule.steps - self._before))
        last = self._before + options.steps
        self._evaluations = Recurring(recipe.evaluate_every * self._steps_per_epoch, last)
        every = options.checkpoint_every
        self._checkpoints = Recurring(every * self._steps_per_epoch, last) if every else self._evaluations
        self._began_ns = None
        self._evaluating_ns = 0

    def facts(self):
        """`quality` of the `start` event."""
        recipe = self._cell.recipe
        facts = {
            "metric": self._cell.workload.metric,
            "better": recipe.better,
            "target": recipe.target,
            "epochs": recipe.epochs,
            "evaluate_every": recipe.evaluate_every,
            "steps_per_epoch": self._steps_per_epoch,
            "evaluation_samples": self._cell.evaluation_set.samples,
            "recipe": recipe.facts(),
        }
        if self._cell.options.loss_scale is not None:
            facts["recipe"]["loss_scale"] = self._cell.options.loss_scale
        if self._cell.resumed:
            facts["resumed"] = vars(self._cell.resumed)
        return facts

    def restore(self):
        """What the checkpoint holds, after the trainer was prepared."""
        if self._cell.resumed:
            self._trainer.restore(self._cell.checkpoint.read_tensors(self._before), self._before)

    def before_step(self, done):
        if self._began_ns is None:
            self._began_ns = time.monotonic_ns()
        self._trainer.set_learning_rate(self._schedule.learning_rate(self._before + done))

    def after_step(self, items):
        self._own_items += items

    def is_due(self, done):
        """Something, after so many steps?"""
        step = self._before + done
        return self._evaluations.due(step) or (self._saves and self._checkpoints.due(step))

    def act(self, done):
        """All steps so far are reported, and the device is idle."""
        self._progress.step = self._before + done
        self._progress.samples = self._samples()
        if self._evaluations.due(self._progress.step) and not self._evaluate():
            return
        if self._saves and self._checkpoints.due(self._progress.step):
            self._save()

    def _samples(self):
        """Of all ranks. Sentences of other lengths are other numbers of tokens on each."""
        if self._cell.workload.batch_unit == "tokens":
            return self._samples_before + sum(self._trainer.gather(self._own_items))
        return self._samples_before + self._own_items * self._cell.position.ranks

    @property
    def _saves(self):
        return self._cell.checkpoint is not None

    def _seconds(self, now_ns):
        return self._seconds_before + (now_ns - self._began_ns - self._evaluating_ns) * _NS

    def _evaluate(self):
        """Gives whether it was done: the stop may be asked for meanwhile."""
        begin_ns = time.monotonic_ns()
        alone = self._cell.position.alone
        result = evaluate(self._cell, self._trainer, self._evaluation.batches(), lambda: alone and stop_requested())
        end_ns = time.monotonic_ns()
        at = self._seconds(begin_ns)
        self._evaluating_ns += end_ns - begin_ns
        if result is None:
            return False
        fields = {
            "step": self._progress.step,
            "samples": self._progress.samples,
            "epoch": self._progress.step / self._steps_per_epoch,
            "seconds": (end_ns - begin_ns) * _NS,
            **result._asdict(),
        }
        self._events.evaluation({**fields, "end": end_ns * _NS})
        self._progress.evaluations.append({**fields, "at": at})
        return True

    def _save(self):
        begin_ns = time.monotonic_ns()
        self._progress.seconds = self._seconds(begin_ns)
        batches = self._progress.step * self._cell.options.accumulate
        epoch, batch = divmod(batches, self._cell.batches_per_epoch)
        state = self._trainer.state if self._cell.position.rank == 0 else self._trainer.own_state
        size = self._cell.checkpoint.write(
            state(self._progress.step), self._progress, {"position": f"{epoch}:{batch}"}, lambda: self._trainer.gather(None)
        )
        end_ns = time.monotonic_ns()
        self._events.checkpoint(
            {"step": self._progress.step, "end": end_ns * _NS, "seconds": (end_ns - begin_ns) * _NS, "bytes": size}
        )
