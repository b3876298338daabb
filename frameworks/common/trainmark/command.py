"""The program of a framework: reads the arguments, and describes or trains."""

import json
from functools import partial
from importlib import import_module

from . import declared
from . import options as arguments
from .description import to_text
from .failure import Unsupported
from .program import run_program
from .requests import take_signals


def run_trainer(offer, words):
    """Gives the exit code. The framework, whose folder must be on the path, is imported only to train."""

    def body(events):
        options = _parse(offer, words)
        if options.describe:
            print(json.dumps(offer.describe(), indent=2))
        elif options.list:
            print(to_text(offer.describe()))
        else:
            description = _resolve(offer, options)
            import_train(offer)(options, description, events)

    return run_program(offer.program, body)


def make_options(offer, words):
    """The options of a training, checked, and the description that they were checked against."""
    options = _parse(offer, words)
    return options, _resolve(offer, options)


def import_train(offer):
    """Gives `train(options, description, events)`. Whatever goes wrong while a framework is imported (a module is missing,
    a library does not load, a version is too old) means that it cannot be used here: one line says so."""
    try:
        offer.before_import()
        make_trainer = import_module("trainer").Trainer
        train_cell = import_module("trainmark.cell").train_cell
    except (Exception, SystemExit) as error:
        raise Unsupported(
            f"{offer.title} cannot be imported: {type(error).__name__}: {error}; to reinstall it: {offer.setup}"
        ) from None
    take_signals()
    return partial(train_cell, make_trainer)


def _parse(offer, words):
    about = f"Trains a workload on {offer.title} and reports the time of every step."
    parser = arguments.make_parser(offer.program, about)
    arguments.add_proof_options(parser)
    offer.add_arguments(parser)
    return arguments.parse(parser, words)


def _resolve(offer, options):
    reason = declared.why_unreadable()
    if reason:
        raise Unsupported(reason)
    offer.check_pipeline(options.pipeline)
    description = offer.describe()
    arguments.resolve(options, description, offer.several_ranks)
    return description
