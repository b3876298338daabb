"""The trainers on JAX. One process is one rank; docs/protocol.md says how it is spoken with."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

from offer import OFFER  # noqa: E402
from trainmark.trainer import run_trainer  # noqa: E402


def import_train():
    from loop import train

    return train


if __name__ == "__main__":
    sys.exit(run_trainer(OFFER, import_train))
