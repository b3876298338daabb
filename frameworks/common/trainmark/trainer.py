"""The program of a framework: reads the arguments, and describes or trains."""

import json
import sys

from . import options as arguments
from .description import to_text
from .failure import Unsupported
from .program import run_program


def run_trainer(offer, import_train, add_arguments=None):
    """Gives the exit code. `import_train()` imports the framework and gives its `train(options, description, events)`;
    it is called only to train. `add_arguments(parser)` adds what only this framework has."""

    def body(events):
        options = _parse(offer, sys.argv[1:], add_arguments)
        description = offer.describe()
        if options.describe:
            print(json.dumps(description, indent=2))
        elif options.list:
            print(to_text(description))
        else:
            arguments.resolve(options, description, offer.several_ranks)
            _import(offer, import_train)(options, description, events)

    return run_program(offer.program, body)


def make_options(offer, words, add_arguments=None):
    """The options of a training, checked, and the description that they were checked against."""
    options, description = _parse(offer, words, add_arguments), offer.describe()
    arguments.resolve(options, description, offer.several_ranks)
    return options, description


def _parse(offer, words, add_arguments):
    about = f"Trains a workload on {offer.title} and tells the time of every step."
    parser = arguments.make_parser(offer.program, about)
    arguments.add_proof_options(parser)
    if add_arguments:
        add_arguments(parser)
    return arguments.parse(parser, words)


def _import(offer, import_train):
    """Whatever goes wrong while a framework is imported (a module is missing, a library does not load, a version is too
    old) means that it cannot be used here: one line says so."""
    try:
        return import_train()
    except (Exception, SystemExit) as error:
        raise Unsupported(
            f"{offer.title} cannot be imported: {type(error).__name__}: {error}; to install it anew: {offer.setup}"
        ) from None
