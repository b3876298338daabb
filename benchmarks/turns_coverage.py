#!/usr/bin/env python3
"""How often the interval of turns holds the true ratio, with real processes beside a noisy neighbour.

    benchmarks/turns_coverage.py [--comparisons 20] [--bin build/release/bin] [--quiet-neighbour]

Two programs do the same work; in every second comparison one of them does 2 % more of it, so that the ratio is known.
They take turns by `trainmark run` while a neighbour on every core works and rests by chance, for up to some seconds each.
Prints the interval of each comparison, and how many of them hold the truth.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHUNK = b"\0" * 65536
STEP_CHUNKS = 500  # about 20 ms
MORE = 1.02

SUITE = """\
matrix: {{framework: [first, second]}}
measure: {{rule: turns, turn_seconds: 0.5, max_seconds: {seconds}}}
seed: {seed}
frameworks:
  first: {{command: [{python}, {script}, --work, {chunks}], {facts}}}
  second: {{command: [{python}, {script}, --work, {more}], {facts}}}
"""
FACTS = ("pattern: 'step (?P<step>\\d+) took (?P<time>[\\d.]+) s', workload: work, batch: 1, gpus: 1, unit: steps, "
         "precision: fp32, device: cpu")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comparisons", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=12, help="of each program's turns, at most (default: 12)")
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--quiet-neighbour", action="store_true", help="start none")
    parser.add_argument("--work", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--disturb", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options.work)
    if options.disturb is not None:
        return disturb(options.disturb)
    neighbours = [] if options.quiet_neighbour else [
        subprocess.Popen([sys.executable, __file__, "--disturb", str(core)]) for core in sorted(os.sched_getaffinity(0))]
    try:
        compare(options)
    finally:
        for neighbour in neighbours:
            neighbour.kill()


def compare(options):
    kinds = {1.0: [], MORE: []}
    for number in range(options.comparisons):
        more = MORE if number % 2 else 1.0
        found = one(options, number, more)
        covered = found["low"] <= 1 / more <= found["high"]
        kinds[more].append((covered, (found["high"] - found["low"]) / found["ratio"] / 2))
        print(f"{number + 1:3}  true {1 / more:.4f}  found {found['ratio']:.4f} ({found['low']:.4f} to {found['high']:.4f})"
              f"{'' if covered else '  missed'}", flush=True)
    for more, all_of in kinds.items():
        if all_of:
            widths = sorted(width for _, width in all_of)
            print(f"ratio {1 / more:.4f}: {sum(covered for covered, _ in all_of)} of {len(all_of)} intervals hold it, "
                  f"typically ±{100 * widths[len(widths) // 2]:.2f} %")


def one(options, number, more):
    """The ratio of the second program to the first, with its interval."""
    with tempfile.TemporaryDirectory() as folder:
        suite, results = Path(folder) / "s.yaml", Path(folder) / "results"
        suite.write_text(SUITE.format(seconds=options.seconds, seed=number + 1, python=sys.executable, script=Path(__file__).resolve(),
                                      chunks=STEP_CHUNKS, more=round(more * STEP_CHUNKS), facts=FACTS))
        program = Path(options.bin).resolve() / "trainmark"
        subprocess.run([program, "run", suite, "--out", results, "--quiet"], check=True, capture_output=True, cwd=folder)
        report = subprocess.run([program, "report", results, "--format", "json"], check=True, capture_output=True).stdout
    versus = next(result for result in json.loads(report)["results"] if "versus" in result)
    if versus["cell"]["framework"].startswith("second"):
        return versus["versus"]
    ratio = versus["versus"]
    return {"ratio": 1 / ratio["ratio"], "low": 1 / ratio["high"], "high": 1 / ratio["low"]}


def work(chunks):
    """The program that is measured: a fixed amount of hashing per step."""
    step = 0
    while True:
        begin = time.monotonic()
        digest = hashlib.sha256()
        for _ in range(chunks):
            digest.update(CHUNK)
        step += 1
        print(f"step {step} took {time.monotonic() - begin:.6f} s", flush=True)


def disturb(core):
    """Works and rests on one core by chance."""
    os.sched_setaffinity(0, {core})
    chance = random.Random(core)
    while True:
        end = time.monotonic() + chance.uniform(0.2, 4)
        while time.monotonic() < end:
            hashlib.sha256(CHUNK)
        time.sleep(chance.uniform(0.2, 6))


if __name__ == "__main__":
    main()
