#!/usr/bin/env python3
"""Is the communication of the C++ trainers hidden behind the backward pass? Two ranks of trainmark-train on a slow
link: the loopback of a network namespace of its own, shaped by tc. Needs root.

    benchmarks/overlap.py [--rate 1gbit] [--workload bert] [--size small] [--steps 12]

Prints medians over the steps of rank 0, with many buckets and with one: of the whole step, the time in which
collectives were under way, the part of it that was exposed, and what the step would take if nothing overlapped.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WARM_UP = 2  # steps that are not counted: buckets are ordered anew after the first


def main():
    options = parse()
    if os.geteuid() != 0 or not shutil.which("tc"):
        sys.exit("overlap.py: needs root, and tc of the package iproute2")
    if not options.inside:
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv, "--inside"])
    shape_loopback(options.rate)
    print(f"{options.workload} {options.size}, two ranks, one core each, link of {options.rate}; seconds, medians")
    print(f"{'buckets of':>12} {'step':>8} {'communication':>14} {'exposed':>8} {'without overlap':>16} {'hidden':>7}")
    for bucket_bytes in (4 << 20, 1 << 30):
        steps = train(options, bucket_bytes)[WARM_UP:]
        step, communication, exposed = (
            statistics.median(event[name] for event in steps) for name in ("seconds", "communication", "exposed")
        )
        apart = statistics.median(event["seconds"] - event["exposed"] + event["communication"] for event in steps)
        hidden = 1 - exposed / communication
        print(
            f"{bucket_bytes >> 20:>8} MiB {step:8.3f} {communication:14.3f} {exposed:8.3f} {apart:16.3f} {hidden:7.0%}"
        )


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", default="1gbit", help="of the link, as tc writes it (1gbit)")
    parser.add_argument("--workload", default="bert")
    parser.add_argument("--size", default="small")
    parser.add_argument("--batch", default=None, help="of each rank")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/trainmark-train"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def shape_loopback(rate):
    for words in (
        ["ip", "link", "set", "lo", "mtu", "1500", "up"],
        ["tc", "qdisc", "add", "dev", "lo", "root", "tbf", "rate", rate, "burst", "256kb", "latency", "200ms"],
    ):
        subprocess.run(words, check=True)


def train(options, bucket_bytes):
    """The step events of rank 0."""
    command = [options.program, "--workload", options.workload, "--size", options.size, "--steps", str(options.steps)]
    command += ["--bucket-bytes", str(bucket_bytes)]
    command += ["--batch", options.batch] if options.batch else []
    reader, writer = os.pipe()
    place = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "OMP_NUM_THREADS": "1"}
    ranks = []
    for rank in range(2):
        variables = {**os.environ, **place, "RANK": str(rank), "LOCAL_RANK": str(rank)}
        if rank == 0:
            variables["TRAINMARK_EVENTS"] = str(writer)
        passed = [writer] if rank == 0 else []
        ranks.append(subprocess.Popen(command, env=variables, pass_fds=passed, stdout=subprocess.DEVNULL))
    os.close(writer)
    with os.fdopen(reader) as lines:
        events = [json.loads(line) for line in lines]
    if any(rank.wait() != 0 for rank in ranks):
        sys.exit("overlap.py: a rank failed")
    return [event for event in events if event["event"] == "step"]


if __name__ == "__main__":
    main()
