"""What a trainer is asked to do: the arguments of docs/protocol.md."""

import argparse
import difflib

from . import declared
from .failure import Unsupported, UserError
from .host import own_cores
from .position import find_position
from .quality.options import add_quality_options, resolve_quality
from .workloads import find_workload

_MOST = 1_000_000_000_000
_STEPS = 100
SHAPES = ("resolution", "sequence", "classes")


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UserError(f"{message} (see --help)")

    def format_help(self):
        self.precision.help = f"{', '.join(declared.precisions())} (fp32)"
        return super().format_help()


def make_parser(program, about):
    """A parser of the arguments that every trainer has; a program adds its own."""
    parser = _Parser(prog=program, description=about, allow_abbrev=False)
    parser.add_argument("--describe", action="store_true", help="print as JSON what this program can train")
    parser.add_argument("--list", action="store_true", help="print the same for people")
    parser.add_argument("--workload", default="", help="what to train")
    parser.add_argument("--size", default="full", help="full, small or tiny (full)")
    parser.add_argument("--mode", default="", help="how the framework trains it")
    parser.precision = parser.add_argument("--precision", default="fp32")
    parser.add_argument("--batch", type=_count, default=0, help="items per device in one forward pass")
    parser.add_argument("--accumulate", type=_count, default=1, help="forward passes in one optimizer step (1)")
    for shape in SHAPES:
        parser.add_argument(f"--{shape}", type=_count, help="instead of the size's own, where the workload has it")
    parser.add_argument("--data", metavar="PATH", help="train on the data set at PATH instead of synthetic data")
    parser.add_argument("--input-only", action="store_true", help="only make the batches of --data, without training")
    parser.add_argument("--workers", type=_workers, help="processes or threads that make batches (one per core)")
    parser.add_argument("--pipeline", help="what makes batches: the framework's own (default), or another that it can use")
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    parser.add_argument("--seed", type=_seed, default=1, help="random seed of weights and data (1)")
    parser.add_argument(
        "--steps", type=_count, help=f"maximum number of optimizer steps ({_STEPS}; with --quality: the epochs')"
    )
    add_quality_options(parser)
    return parser


def add_proof_options(parser):
    """The arguments with which the mathematics of two trainers are compared."""
    parser.add_argument("--load-weights", metavar="FILE", help="begin with a safetensors file's weights")
    parser.add_argument(
        "--save-weights", metavar="FILE", help="write the weights before the first step to a safetensors file"
    )
    parser.add_argument(
        "--save-gradients",
        metavar="FILE",
        help="write the gradients of the first step to a safetensors file",
    )
    parser.add_argument(
        "--save-trained", metavar="FILE", help="write the weights after the last step to a safetensors file"
    )
    parser.add_argument("--save-losses", metavar="FILE", help="write the loss of every step to a file, as a JSON array")
    parser.add_argument("--dropout", type=_rate, help="its rate, instead of the workload's own; 0 turns it off")


def parse(parser, arguments):
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        wrong = unknown[0].partition("=")[0]
        known = [name for action in parser._actions for name in action.option_strings]
        raise UserError(f"there is no argument '{wrong}'; {_suggest(wrong, known)}")
    return options


def resolve(options, description, several_ranks=False):
    """Checks the names against what the program can do and fills in the defaults. `several_ranks`: can it be one of them?

    Raises UserError for a name nobody knows, Unsupported for what cannot be trained here.
    """
    workloads = {entry["name"]: entry for entry in description["workloads"]}
    if not options.workload:
        raise UserError(f"--workload is missing; known: {', '.join(workloads)}")
    workload = _find(workloads, options.workload, "--workload")
    size = _find({entry["name"]: entry for entry in workload["sizes"]}, options.size, "--size")
    options.batch = options.batch or size["batch"]
    _resolve_shapes(options)
    options.mode = options.mode or workload["modes"][0]
    if options.mode not in workload["modes"]:
        hint = _suggest(options.mode, workload["modes"])
        raise UserError(f"--mode: {options.workload} has no '{options.mode}'; {hint}")
    _resolve_dropout(options)
    device = _find({entry["name"]: entry for entry in description["devices"]}, options.device, "--device")
    if device.get("missing"):
        raise Unsupported(f"{options.device} cannot be used here: {device['missing']}")
    mode_devices = workload.get("mode_devices", {}).get(options.mode, [options.device])
    if options.device not in mode_devices:
        raise Unsupported(f"the mode '{options.mode}' is for {', '.join(mode_devices)}, not for {options.device}")
    _check_precision(options, workload["precisions"])
    smallest = find_workload(options.workload).smallest_batch
    if options.batch < smallest:
        raise Unsupported(
            f"--batch {options.batch}: {options.workload} needs at least {smallest}, as one of its norms is over the "
            "batch alone"
        )
    _resolve_position(options, several_ranks)
    _resolve_data(options, workload)
    resolve_quality(options, workload)
    options.steps = options.steps or (_MOST if options.quality else _STEPS)


def start_fields(options, description):
    """The part of the `start` event that repeats the cell as it is really trained."""
    cell = ("mode", "workload", "size", "precision", "batch", "accumulate", "device")
    return {
        "framework": description["framework"],
        "versions": description["versions"],
        **{name: getattr(options, name) for name in cell},
        **({"shapes": options.shapes} if options.shapes else {}),
        "unit": find_workload(options.workload).unit,
        "rank": options.position.rank,
        "ranks": options.position.ranks,
    }


def _resolve_shapes(options):
    given = {name: getattr(options, name) for name in SHAPES}
    options.shapes = {name: value for name, value in given.items() if value is not None}
    known = find_workload(options.workload).shapes
    for name in options.shapes:
        if name not in known:
            has = f"it has {', '.join('--' + shape for shape in known)}" if known else "leave it out"
            raise UserError(f"--{name}: {options.workload} has none; {has}")


def _resolve_data(options, workload):
    """Without a data set, workers and pipeline say nothing: a suite gives them to all cells of a framework."""
    if options.data is None:
        if options.input_only:
            raise UserError("--input-only: there is no data set; add --data PATH")
        return
    pipelines = workload.get("pipelines")
    if not pipelines:
        raise Unsupported(f"{options.workload} is trained on synthetic data only here; leave out --data")
    options.pipeline = options.pipeline or next(iter(pipelines))
    options.formats = _find(pipelines, options.pipeline, "--pipeline")
    options.workers = options.workers or own_cores()
    if options.input_only and options.saved:
        raise UserError("--input-only trains nothing, so there is nothing to save")


def _resolve_dropout(options):
    own = find_workload(options.workload).dropout
    if options.dropout is None:
        options.dropout = own
    elif options.dropout > 0 and own == 0:
        raise UserError(f"--dropout: {options.workload} has none; leave it out, or write 0")


def _check_precision(options, precisions):
    # One that is declared but not in the description is unsupported; one that is not declared is a slip of the pen.
    if options.precision not in declared.precisions():
        hint = _suggest(options.precision, declared.precisions())
        raise UserError(f"--precision: there is no '{options.precision}'; {hint}")
    known = precisions[options.device]
    if options.precision not in known:
        raise Unsupported(
            f"{options.workload} cannot be trained in {options.precision} on {options.device}; it can in "
            f"{', '.join(known)}"
        )


def _resolve_position(options, several_ranks):
    """A rank that trained for itself would measure something else than was asked for."""
    options.position = find_position()
    if not options.position.alone and not several_ranks:
        raise Unsupported(f"there are {options.position.ranks} ranks: this program trains on one")
    names = ("save_weights", "save_gradients", "save_trained", "save_losses")
    # By some rank: where tensors are divided among the ranks, all of them take part in putting them together.
    options.saved = {name for name in names if getattr(options, name)}
    for name in names:
        setattr(options, name, options.position.own_path(getattr(options, name)))


def _find(things, name, option):
    if name not in things:
        raise UserError(f"{option}: there is no '{name}'; {_suggest(name, things)}")
    return things[name]


def _suggest(wrong, known):
    near = difflib.get_close_matches(wrong, known, 1)
    return f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"


def _whole_number(text, least, most):
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least} to {most}")
    return number


def _count(text):
    return _whole_number(text, 1, _MOST)


def _workers(text):
    return _whole_number(text, 1, 4096)


def _seed(text):
    return _whole_number(text, 0, 2**64 - 1)


def _rate(text):
    try:
        rate = float(text)
    except ValueError:
        rate = -1
    if not 0 <= rate < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a rate of at least 0 and less than 1")
    return rate
