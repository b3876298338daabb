"""main.py FRAMEWORK ARGUMENT...: the trainers of one framework. One process is one rank; docs/protocol.md says how it is
spoken with."""

import os
import sys
from importlib import import_module
from pathlib import Path

from trainmark.command import run_trainer

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / sys.argv[1]))
    code = run_trainer(import_module("offer").OFFER, sys.argv[2:])
    if code != 0:  # some frameworks would wait for ranks that are gone while they shut down
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
