"""The trainers on Apache MXNet. One process is one rank; docs/protocol.md says how it is spoken with."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

from offer import OFFER  # noqa: E402
from trainmark.trainer import run_trainer  # noqa: E402


def import_train():
    import mxnet

    if not mxnet.__version__.startswith("1.9."):
        raise ImportError(f"version {mxnet.__version__} will not do, 1.9 is needed")
    from loop import train

    return train


if __name__ == "__main__":
    sys.exit(run_trainer(OFFER, import_train))
