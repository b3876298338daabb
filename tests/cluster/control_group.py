"""A control group that limits the CPU time of processes, of version 1 or 2, whichever this machine has. Needs root."""

import os
import pathlib
import unittest

PERIOD = 100_000  # microseconds

_TOP = pathlib.Path("/sys/fs/cgroup")
_UNIFIED = (_TOP / "cgroup.controllers").exists()


def mount_command():
    """For a host with a /sys of its own, in which no groups can be seen."""
    if _UNIFIED:
        return f"mount -t cgroup2 none {_TOP}"
    return f"mount -t tmpfs none {_TOP} && mkdir {_TOP}/cpu && mount -t cgroup -o cpu none {_TOP}/cpu"


class ControlGroup:
    def __init__(self, name):
        top = _TOP if _UNIFIED else _TOP / "cpu"
        self.before = top / "cgroup.procs"
        self.folder = top / name
        try:
            if _UNIFIED:
                (top / "cgroup.subtree_control").write_text("+cpu")
            self.folder.mkdir()
        except OSError as error:
            raise unittest.SkipTest(f"no control group can be made here: {error}")

    def limit(self, cores):
        quota = round(cores * PERIOD)
        if _UNIFIED:
            (self.folder / "cpu.max").write_text(f"{quota} {PERIOD}")
        else:
            (self.folder / "cpu.cfs_period_us").write_text(str(PERIOD))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))

    def add(self, process):
        """What the process starts from now on belongs to the group, too."""
        (self.folder / "cgroup.procs").write_text(str(process))

    def remove(self):
        """Its processes go back to where they came from."""
        for process in (self.folder / "cgroup.procs").read_text().split():
            try:
                self.before.write_text(process)
            except ProcessLookupError:
                pass
        os.rmdir(self.folder)
