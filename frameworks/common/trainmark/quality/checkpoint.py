"""Checkpoints: all that a training needs to go on as if it had never been interrupted, in safetensors files.

FOLDER/checkpoint.safetensors is rank 0's, and decides: it is renamed into place when it and what the other ranks have of
their own are on the disk. A rank's own file is kept under two names: until rank 0's has its place, the older one counts.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from ..failure import UserError
from ..files import sync_into_place

_VERSION = "1"
_MAIN = "checkpoint.safetensors"


@dataclass
class Progress:
    """How far a training has come."""

    step: int = 0  # optimizer steps that are done
    samples: int = 0
    seconds: float = 0.0  # of training: with checkpoints and without evaluations
    evaluations: list = field(default_factory=list)


class Checkpoint:
    def __init__(self, folder, identity, rank=0):
        """`identity`: what a training must have in common with its checkpoint, as strings by name."""
        self._folder = Path(folder)
        self._identity = {"version": _VERSION, **identity}
        self._rank = rank

    def read_progress(self):
        """That of the checkpoint; None where there is none. Raises UserError where it is another training's."""
        path = self._folder / _MAIN
        if not path.exists():
            self._make_folder()  # now, and not after an hour
            return None
        facts = _read_facts(path)
        for name, ours in self._identity.items():
            theirs = facts.get(name)
            if theirs != ours:
                raise UserError(
                    f"--checkpoint: {path} is of another training: its {name} is {theirs}, and ours is {ours}; write "
                    "another folder, or remove it"
                )
        try:
            return _progress_in(facts)
        except (KeyError, ValueError):
            raise UserError(f"--checkpoint: {path}: its metadata is damaged; remove it to start over") from None

    def read_tensors(self, step):
        """Of this rank, as they were after `step`."""
        tensors = _read_tensors(self._folder / _MAIN)
        if self._rank == 0:
            return tensors
        for path in self._own_paths():
            if path.exists() and _read_facts(path).get("step") == str(step):
                return {**tensors, **_read_tensors(path)}
        raise UserError(
            f"--checkpoint: {self._own_paths()[0]} was not found, or is not of step {step} as that of rank 0 is; all ranks "
            "need the same folder"
        )

    def write(self, tensors, progress, facts, wait_for_ranks):
        """`tensors`: of rank 0 all, of others what only they have. `wait_for_ranks()` returns when all have called it.
        Gives how many bytes this rank has written."""
        metadata = {
            **self._identity,
            "step": str(progress.step),
            "samples": str(progress.samples),
            "seconds": repr(progress.seconds),
            "evaluations": json.dumps(progress.evaluations),
            **facts,
        }
        self._make_folder()
        if self._rank == 0:
            beside = _write_beside(self._folder / _MAIN, tensors, metadata)
            size = beside.stat().st_size
            wait_for_ranks()  # until what they have is on the disk
            sync_into_place(beside, self._folder / _MAIN)
            wait_for_ranks()
            return size
        final, following = self._own_paths()
        sync_into_place(_write_beside(following, tensors, metadata), following)
        size = following.stat().st_size
        wait_for_ranks()
        wait_for_ranks()  # until rank 0's has its place
        sync_into_place(following, final)
        return size

    def _own_paths(self):
        return [self._folder / f"checkpoint.rank{self._rank}{kind}.safetensors" for kind in ("", ".next")]

    def _make_folder(self):
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"--checkpoint: {self._folder} cannot be made: {error.strerror}") from None


def _progress_in(facts):
    evaluations = json.loads(facts["evaluations"])
    progress = Progress(int(facts["step"]), int(facts["samples"]), float(facts["seconds"]), evaluations)
    if not isinstance(evaluations, list) or min(progress.step, progress.samples) < 0 or not 0 <= progress.seconds < 1e12:
        raise ValueError
    return progress


def _write_beside(path, tensors, metadata):
    import numpy as np
    from safetensors.numpy import save_file

    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        save_file({name: np.asarray(array, order="C") for name, array in tensors.items()}, beside, metadata)
    except Exception as error:  # a full disk has the library's own kind of error
        beside.unlink(missing_ok=True)
        raise UserError(f"--checkpoint: {path} cannot be written: {error}") from None
    return beside


def _read_facts(path):
    return _open(path, lambda file: file.metadata() or {})


def _read_tensors(path):
    return _open(path, lambda file: {name: file.get_tensor(name) for name in file.keys()})


def _open(path, read):
    from safetensors import safe_open

    try:
        with safe_open(path, "numpy") as file:
            return read(file)
    except Exception as error:  # the library's own kinds have changed with its versions
        raise UserError(f"--checkpoint: {path} cannot be read: {error}; remove it to start over") from None
