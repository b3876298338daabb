"""Rows of a tensor that are divided among the ranks of a job."""

from typing import NamedTuple

from .failure import Unsupported


class Shard(NamedTuple):
    """This rank's rows: `count` of `all`, from `first` on. Every rank but the last has as many."""

    first: int
    count: int
    all: int
    each: int


def shard_of(position, rows, what):
    each = -(-rows // position.ranks)
    if each * (position.ranks - 1) >= rows:
        raise Unsupported(f"{rows} {what} cannot be divided among {position.ranks} ranks; write --whole-{what}")
    first = each * position.rank
    return Shard(first, min(each, rows - first), rows, each)


def own_rows(arrays, name, shard):
    """Of the array `name`. Where it is only now made from the seed, the other ranks' rows are not."""
    if hasattr(arrays, "rows"):
        return arrays.rows(name, shard.first, shard.count)
    return arrays[name][shard.first : shard.first + shard.count]


def add_whole_classes(parser):
    parser.add_argument(
        "--whole-classes",
        action="store_true",
        help="arcface on several ranks: every rank has all classes, and not only its part",
    )
