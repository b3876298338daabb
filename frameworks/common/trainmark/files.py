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


def save_losses(path, losses):
    numbers = [loss if math.isfinite(loss) else None for loss in losses]  # as in the events
    write_atomically(path, (json.dumps(numbers) + "\n").encode())
