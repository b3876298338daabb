"""Files that a trainer leaves: written beside and renamed, so that nobody sees half of one."""

import json
import math
import os

from .failure import UserError


def write_atomically(path, content):
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "wb") as file:
            file.write(content)
        os.replace(beside, path)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from None


def sync_into_place(beside, path):
    """A file that must outlive a crash of the machine: its bytes are on the disk before it has its name."""
    try:
        _sync(beside)
        os.replace(beside, path)
        _sync(os.path.dirname(path) or ".")
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from None


def _sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def save_losses(path, losses):
    numbers = [loss if math.isfinite(loss) else None for loss in losses]  # as in the events
    write_atomically(path, (json.dumps(numbers) + "\n").encode())
