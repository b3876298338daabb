"""The trainers on PaddlePaddle. One process is one rank; docs/protocol.md says how it is spoken with."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

from offer import OFFER  # noqa: E402
from trainmark.stop import listen_for_stop  # noqa: E402
from trainmark.trainer import run_trainer  # noqa: E402


def add_arguments(parser):
    parser.add_argument(
        "--layout", choices=["NCHW", "NHWC"], help="the order of images in memory, instead of the cell's own"
    )


def import_train():
    # PaddlePaddle takes one core unless it is told otherwise before it is imported.
    os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))
    import paddle

    # Its own handlers print a stack trace where the request to stop should be heard.
    paddle.disable_signal_handler()
    listen_for_stop()
    from loop import train

    return train


if __name__ == "__main__":
    sys.exit(run_trainer(OFFER, import_train, add_arguments))
