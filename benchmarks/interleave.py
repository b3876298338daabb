#!/usr/bin/env python3
"""C++ against Python PyTorch eager on a machine whose speed changes by the minute: both programs are held by signals
and go on in turn for a few seconds each, so that each turn of one stands beside turns of the other.

    benchmarks/interleave.py [--turns 12] [--seconds 4] [--size small] [WORKLOAD ...]

Only steps that lie wholly inside a turn count. Prints, for each workload, how many times as fast as PyTorch the C++
trainer is: the geometric mean over pairs of turns, with its 95 % interval.
"""

import argparse
import json
import math
import os
import signal
import statistics
import subprocess
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKLOADS = ["resnet50", "se_resnext50", "deeplabv3p", "bert", "transformer", "cyclegan", "arcface"]
PROGRAMS = {"C++": "build/release/bin/trainmark-train", "PyTorch": "frameworks/pytorch/trainmark-pytorch"}
WARM_UP = 4  # steps before the first turn


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", default=WORKLOADS, metavar="WORKLOAD")
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--size", default="small")
    options = parser.parse_args()
    print(f"{'workload':13} C++ / PyTorch eager, {options.size}, {os.cpu_count()} cores")
    for workload in options.workloads:
        programs = {name: Held(path, workload, options.size) for name, path in PROGRAMS.items()}
        try:
            for program in programs.values():
                program.warm_up()
            ratios = compare(programs, options)
        finally:
            for program in programs.values():
                program.end()
        low, mean, high = interval([math.log(ratio) for ratio in ratios])
        print(f"{workload:13} {math.exp(mean):.3f} ({math.exp(low):.3f} to {math.exp(high):.3f})", flush=True)


def compare(programs, options):
    """The ratio of mean step times, PyTorch's over C++'s, for each pair of neighbouring turns."""
    means = {name: [] for name in programs}
    for number in range(options.turns):
        order = list(programs) if number % 2 == 0 else list(programs)[::-1]  # no one is always the first
        for name in order:
            means[name].append(programs[name].turn(options.seconds))
    pairs = zip(means["PyTorch"], means["C++"])
    ratios = [theirs / ours for theirs, ours in pairs if theirs and ours]
    if len(ratios) < 4:
        raise SystemExit("interleave.py: too few turns held a whole step; give more --turns, or more --seconds")
    return ratios


def interval(values):
    """Mean and 95 % interval; the quantile of Student's t for 4 to 30 values within 2 %."""
    mean, freedom = statistics.mean(values), len(values) - 1
    quantile = 1.96 + 2.37 / freedom + 2.82 / freedom**2 + 2.56 / freedom**3
    half = quantile * statistics.stdev(values) / math.sqrt(len(values))
    return mean - half, mean, mean + half


class Held:
    """A trainer that runs only in its turns."""

    def __init__(self, path, workload, size):
        self.path = path
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            [ROOT / path, "--workload", workload, "--size", size, "--steps", "100000"],
            env={**os.environ, "TRAINMARK_EVENTS": str(writing)},
            pass_fds=[writing],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(writing)
        self.steps = []  # (begin, end), by the monotonic clock
        threading.Thread(target=self._read, args=[reading], daemon=True).start()
        self._signal(signal.SIGSTOP)

    def warm_up(self):
        self._signal(signal.SIGCONT)
        while len(self.steps) < WARM_UP:
            if self.process.poll() is not None:
                raise SystemExit(f"interleave.py: {self.path} ended with {self.process.returncode}")
            time.sleep(0.05)
        self._signal(signal.SIGSTOP)

    def turn(self, seconds):
        """Goes on for so long; the mean time of the steps that began and ended meanwhile, None where there is none."""
        known = len(self.steps)
        begin = time.monotonic()
        self._signal(signal.SIGCONT)
        time.sleep(seconds)
        end = time.monotonic()
        self._signal(signal.SIGSTOP)
        time.sleep(0.05)  # what was written before is read
        inside = [b - a for a, b in self.steps[known:] if a > begin and b < end]
        return statistics.mean(inside) if inside else None

    def end(self):
        if self.process.poll() is None:
            self._signal(signal.SIGKILL)
        self.process.wait()

    def _signal(self, number):
        os.killpg(self.process.pid, number)

    def _read(self, reading):
        with os.fdopen(reading) as events:
            for line in events:
                event = json.loads(line)
                if event["event"] == "step":
                    self.steps.append((event["end"] - event["seconds"], event["end"]))


if __name__ == "__main__":
    main()
