"""The trainers on PyTorch. One process is one rank; docs/protocol.md says how it is spoken with."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))

from trainmark import options as arguments  # noqa: E402
from trainmark.description import to_text  # noqa: E402
from trainmark.failure import Unsupported  # noqa: E402
from trainmark.program import run_program  # noqa: E402

from offer import SETUP, describe  # noqa: E402

PROGRAM = "trainmark-pytorch"


def make_parser():
    parser = arguments.make_parser(PROGRAM, "Trains a workload on PyTorch and tells the time of every step.")
    arguments.add_proof_options(parser)
    parser.add_argument(
        "--memory-format",
        choices=["channels_last", "contiguous"],
        help="the order of images in memory, instead of the workload's own",
    )
    return parser


def main(events):
    options = arguments.parse(make_parser(), sys.argv[1:])
    description = describe()
    if options.describe:
        print(json.dumps(description, indent=2))
    elif options.list:
        print(to_text(description))
    else:
        arguments.resolve(options, description)
        train(options, description, events)


def train(options, description, events):
    try:
        import loop  # only now: PyTorch takes seconds to import, and a description needs none of it
    except ModuleNotFoundError as error:
        raise Unsupported(f"{error}; to install it: {SETUP}") from None
    loop.train(options, description, events)


if __name__ == "__main__":
    sys.exit(run_program(PROGRAM, main))
