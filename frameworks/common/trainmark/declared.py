"""What workloads/ and protocol/, beside the folder of the frameworks, declare for programs in whatever language."""

import sys
from functools import lru_cache
from pathlib import Path

from .failure import Unsupported

ROOT = Path(__file__).resolve().parents[3]


def why_unreadable():
    """Why no declaration can be read; empty where they can."""
    try:
        import yaml  # noqa: F401
    except ImportError:
        return f"PyYAML is not installed; to install it: {sys.executable} -m pip install PyYAML"
    return ""


def read(path):
    """The contents of a file, whose path is meant from the root."""
    reason = why_unreadable()
    if reason:
        raise Unsupported(reason)
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is five times as fast, where it was built
    return yaml.load((ROOT / path).read_bytes(), loader)


@lru_cache(maxsize=None)
def precisions():
    """Every precision that a cell may ask of some trainer."""
    return list(read("protocol/precisions.yaml"))


@lru_cache(maxsize=None)
def rank_variables():
    """Those of each launcher, in the order in which they are looked for."""
    return read("protocol/rank_variables.yaml")
