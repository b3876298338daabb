"""A framework's trainer, for forked.py."""

from offer import OFFER
from trainmark.command import run_trainer


def main(arguments):
    return run_trainer(OFFER, arguments)
