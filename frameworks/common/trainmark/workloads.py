"""The contract of each workload: workloads/NAME.yaml, which docs/workloads.md explains."""

from dataclasses import dataclass, field
from functools import lru_cache
from types import SimpleNamespace
from typing import Dict, NamedTuple, Sequence, Union

from . import declared
from .failure import Unsupported


class Sgd(NamedTuple):
    learning_rate: float
    momentum: float
    weight_decay: float = 0.0


class Adam(NamedTuple):
    learning_rate: float
    beta1: float
    beta2: float
    epsilon: float


class AdamW(NamedTuple):
    learning_rate: float
    beta1: float
    beta2: float
    epsilon: float
    weight_decay: float


_OPTIMIZERS = {"sgd": Sgd, "adam": Adam, "adamw": AdamW}


def make_settings(block):
    """Of an optimizer, as a contract has them."""
    settings = dict(block)
    return _OPTIMIZERS[settings.pop("kind")](**settings)


@dataclass
class Workload:
    name: str
    title: str
    unit: str  # of items, what a batch is counted in
    metric: str  # of what is learned
    data: str  # the kind of data set
    inputs: Dict[str, list]  # the shape of each array of a batch: numbers, names of a size's numbers, `one + other`
    sizes: Dict[str, SimpleNamespace]  # each with `batch`, and whatever the workload needs
    optimizer: Union[Sgd, Adam, AdamW]
    dropout: float = 0.0  # 0: it has none
    smallest_batch: int = 1
    batch_unit: str = "items"
    capabilities: Sequence[str] = ()
    first_loss_scale: float = 65536.0  # where losses are scaled
    shapes: Dict[str, dict] = field(default_factory=dict)  # what a cell may set instead of its size
    training: dict = field(default_factory=dict)  # what --quality trains with; empty: it has no recipe

    def shapes_of(self, size):
        """The value of each shape that a cell may set, as it is in a size."""
        return {name: getattr(self.sizes[size], rule["sets"][0]) for name, rule in self.shapes.items()}

    def reshaped(self, size, shapes):
        """The numbers of a size with some shapes set: the first number is the value, others follow in proportion."""
        numbers = dict(vars(self.sizes[size]))
        for name, value in shapes.items():
            rule = self.shapes[name]
            multiple = rule.get("multiple_of", 1)
            if value % multiple:
                raise Unsupported(f"--{name} {value}: {self.name} needs a multiple of {multiple}")
            before = numbers[rule["sets"][0]]
            for key in rule["sets"]:
                numbers[key] = max(1, (2 * numbers[key] * value + before) // (2 * before))
        return SimpleNamespace(**numbers)

    def input_shapes(self, size, batch):
        """The shape of each array of a batch."""
        numbers = {**vars(size), "batch": batch}
        return {name: tuple(_evaluate(axis, numbers) for axis in shape) for name, shape in self.inputs.items()}


@lru_cache(maxsize=None)
def find_workload(name):
    contract = declared.read(f"workloads/{name}.yaml")
    sizes = {size: SimpleNamespace(**numbers) for size, numbers in contract.pop("sizes").items()}
    optimizer = make_settings(contract.pop("optimizer"))
    return Workload(name=name, sizes=sizes, optimizer=optimizer, **contract)


def workload_names():
    """Of all contracts, whether a framework has them or not."""
    return sorted(path.stem for path in (declared.ROOT / "workloads").glob("*.yaml"))


def _evaluate(axis, numbers):
    if isinstance(axis, int):
        return axis
    first, *rest = axis.split()
    value = numbers[first]
    for operator, word in zip(rest[::2], rest[1::2]):
        other = numbers[word] if word in numbers else int(word)
        value = value + other if operator == "+" else value // other
    return value
