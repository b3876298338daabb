"""What a framework can do here, found without importing it: that takes seconds, and a description needs none of it."""

import re
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Callable

from . import declared
from .description import describe, version_of
from .failure import Unsupported
from .host import why_cuda_is_missing

_FRAMEWORKS = Path(__file__).resolve().parents[2]


def is_installed(package):
    """A folder that merely has the package's name, as those of our trainers and tests have, is not it."""
    try:
        spec = find_spec(package)
    except ModuleNotFoundError:  # of the package around it
        return False
    return spec is not None and spec.origin is not None


@dataclass(frozen=True)
class Pipeline:
    """What makes batches of data sets."""

    formats: dict  # that it reads, of each kind of data set
    package: str = ""  # that it needs beside the framework
    requirements: str = ""  # the lock that installs it

    def missing(self):
        if not self.package or is_installed(self.package):
            return ""
        install = f"{sys.executable} -m pip install --require-hashes -r {declared.ROOT / self.requirements}"
        return f"{self.package} is not installed; to install it: {install}"


@dataclass(frozen=True)
class Offer:
    framework: str
    title: str
    package: str  # the one that is imported; others may be needed, too
    versions: tuple  # the packages whose versions belong to a result
    modes: list
    precisions: dict  # of each device
    mode_devices: dict = field(default_factory=dict)  # of the modes that not all devices have
    least: dict = field(default_factory=dict)  # package to the first version that has what the trainers call
    several_ranks: bool = False  # can it be one of several that train together?
    pipelines: dict = field(default_factory=dict)  # by name; the first is the framework's own
    quality: tuple = ()  # the workloads that it can train to a quality, where they have a data set
    why_built_without_cuda: Callable[[], str] = lambda: ""  # asked where the package is there
    add_arguments: Callable = lambda parser: None  # to the command line: what only this framework has
    before_import: Callable = lambda: None  # of the framework, to train

    @property
    def program(self):
        return f"trainmark-{self.framework}"

    @property
    def setup(self):
        return f"trainmark setup {self.framework}"

    @property
    def workloads(self):
        """Those that have a file in the framework's folder."""
        files = (_FRAMEWORKS / self.framework / "workloads").glob("*.py")
        return sorted(path.stem for path in files if path.stem != "__init__")

    def describe(self):
        """Where the contracts cannot be read it has no workloads: the devices say why."""
        versions = {package: version_of(package) for package in self.versions}
        missing = {"cpu": self._why_missing}
        missing["cuda"] = lambda: self._why_missing() or self.why_built_without_cuda() or why_cuda_is_missing()
        return describe(
            framework=self.framework,
            versions={package: version for package, version in versions.items() if version},
            devices={device: missing[device]() for device in self.precisions},
            modes=self.modes,
            mode_devices=self.mode_devices,
            precisions=self.precisions,
            workloads=[] if declared.why_unreadable() else self.workloads,
            several_ranks=self.several_ranks,
            pipelines={name: pipeline.formats for name, pipeline in self.pipelines.items() if not pipeline.missing()},
            quality=self.quality,
        )

    def check_pipeline(self, name):
        """Raises Unsupported where it would be there if it were installed."""
        if name in self.pipelines and self.pipelines[name].missing():
            raise Unsupported(f"--pipeline {name}: {self.pipelines[name].missing()}")

    def _why_missing(self):
        if not is_installed(self.package):
            return f"{self.title} is not installed; to install it: {self.setup}"
        for package, least in self.least.items():
            version = version_of(package)
            if version and _numbers(version) < _numbers(least):
                return f"{package} {version} is too old, at least {least} is needed; to install it: {self.setup}"
        return declared.why_unreadable()


def _numbers(version):
    return [int(number) for number in re.findall(r"\d+", version)[:2]]
