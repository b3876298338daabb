#!/usr/bin/env python3
"""Many short runs with random faults: python3 tests/soak/soak.py BIN [--runs 10000] [--out FOLDER] [--seed 1].

BIN holds the built programs. One suite of `clock` is measured into one journal. Some of its trainers crash, exit, print garbage, break
the protocol or leave processes behind; others are killed from outside. The bench itself is killed now and then, or finds the
disk full, and goes on with --resume. `trainmark serve` shows the journal all the while and is asked for it.

At the end the journal must hold every pair of cell and round once, each with the outcome that its trainer has; and memory,
descriptors, threads and disk per run must be flat. Samples are in OUT/samples.csv. Exit code 1 where something is not so."""

import argparse
import csv
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

# What each trainer does, and how its runs must end; None: any way, since it may be killed before it shows its fault.
TRAINERS = {
    "steady": ([], ""),
    "garbage": (["--garbage"], ""),
    "orphan": (["--spawn-orphan"], ""),
    "crash": (["--crash-after", "2"], "crash"),
    "exit": (["--exit-after", "2", "--exit-code", "9"], "exit"),
    "torn": (["--torn-events", "2"], "bad-events"),
    "silent": (["--no-events"], "no-events"),
    "nan": (["--nan-after", "1"], "nan-loss"),
}
STEADY_BATCHES = 13  # with the seven others: 20 cells
CELLS = STEADY_BATCHES + len(TRAINERS) - 1

BENCH_GROWTH_BYTES = 1024  # per run: what the bench remembers of each
SERVE_GROWTH = 12  # times the growth of the journal, which it holds as results
MORE_DESCRIPTORS = 3  # late than early: a run in flight has some more or fewer
START_SAMPLES = 10  # of a session, until its journal is read
PAUSE_BETWEEN_SAMPLES = 0.5  # seconds


def suite_text(clock, rounds):
    lines = ["name: soak", "matrix:",
             f"  - {{workload: clock, framework: steady, size: tiny, batch: {list(range(1, STEADY_BATCHES + 1))}}}"]
    lines += [f"  - {{workload: clock, framework: {name}, size: tiny}}" for name in TRAINERS if name != "steady"]
    lines += ["measure: {rule: fixed, steps: 6, skip: 1}", f"rounds: {rounds}", "time_limit: 60s", "frameworks:"]
    for name, (words, _) in TRAINERS.items():
        arguments = ", ".join(["--step-ms", "0.5", *words])
        lines.append(f"  {name}: {{program: ['{clock}'], arguments: [{arguments}]}}")
    return "\n".join(lines) + "\n"


def status_of(pid):
    """Resident bytes, descriptors and threads of a process; None once it is gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
        fields = dict(re.findall(r"^(VmRSS|Threads):\s+(\d+)", text, re.M))
        return int(fields["VmRSS"]) * 1024, len(os.listdir(f"/proc/{pid}/fd")), int(fields["Threads"])
    except (OSError, KeyError):
        return None


def processes_with(text):
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if text.encode() in words.split(b"\0")[0]:
            found.append(int(entry.name))
    return found


def slope(points):
    """By least squares."""
    count = len(points)
    if count < 3:
        return 0.0
    mean_x = sum(x for x, _ in points) / count
    mean_y = sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


def slope_within(groups):
    """The same for several series, each with a height of its own."""
    above = below = 0.0
    for points in groups:
        if not points:
            continue
        mean_x = sum(x for x, _ in points) / len(points)
        mean_y = sum(y for _, y in points) / len(points)
        above += sum((x - mean_x) * (y - mean_y) for x, y in points)
        below += sum((x - mean_x) ** 2 for x, _ in points)
    return above / below if below else 0.0


class Soak:
    def __init__(self, arguments):
        self.bin = Path(arguments.bin).resolve()
        self.folder = Path(arguments.out).resolve()
        self.folder.mkdir(parents=True)
        self.results = self.folder / "results"
        self.rounds = -(-arguments.runs // CELLS)
        self.total = self.rounds * CELLS
        self.random = random.Random(arguments.seed)
        self.clock = self.folder / "soak-clock"  # a path of its own, so that its processes are found
        self.clock.symlink_to(self.bin / "trainmark-clock")
        (self.folder / "soak.yaml").write_text(suite_text(self.clock, self.rounds))
        self.shim = next(self.bin.parent.glob("**/libtrainmark_fault_shim.so"), None)
        self.samples = []
        self.counts = {"sessions": 0, "bench killed": 0, "disk full": 0, "trainers killed": 0, "pages read": 0}
        self.journal_size = 0
        self.runs_done = 0
        self.troubles = []
        self.serve = None
        self.url = ""

    # The journal, followed as it grows.

    def follow_journal(self):
        try:
            with open(self.results / "journal.jsonl", "rb") as file:
                file.seek(self.journal_size)
                added = file.read()
        except OSError:
            return
        end = added.rfind(b"\n") + 1
        self.journal_size += end
        self.runs_done += added[:end].count(b'"type":"run"')

    # What goes on beside the bench.

    def sample(self, bench, begin):
        self.follow_journal()
        self.start_serve()
        if self.serve is None:
            return
        row = {"seconds": round(time.monotonic() - begin, 1), "session": self.counts["sessions"], "runs": self.runs_done,
               "journal_bytes": self.journal_size}
        for name, pid in (("bench", bench), ("serve", self.serve.pid)):
            status = status_of(pid)
            if status is None:
                return
            for key, value in zip(("bytes", "descriptors", "threads"), status):
                row[f"{name}_{key}"] = value
        self.samples.append(row)

    def read_page(self):
        try:
            with urllib.request.urlopen(self.url, timeout=60) as answer:
                answer.read()
            self.counts["pages read"] += 1
        except OSError as error:
            self.troubles.append(f"serve did not answer: {error}")

    def start_serve(self):
        """As soon as there is a journal to show."""
        if self.serve is not None or self.journal_size == 0:
            return
        self.serve = subprocess.Popen([self.bin / "trainmark", "serve", self.results, "--port", "0"], stderr=subprocess.PIPE,
                                      stdout=subprocess.DEVNULL, text=True)
        self.url = re.search(r"http://\S+", self.serve.stderr.readline()).group(0)
        threading.Thread(target=self.serve.stderr.read, daemon=True).start()

    def start_bench(self, fills_disk):
        variables = dict(os.environ)
        if fills_disk:
            variables |= {"LD_PRELOAD": str(self.shim), "TRAINMARK_SHIM_ROOT": str(self.results), "TRAINMARK_SHIM_ERROR": "28",
                          "TRAINMARK_SHIM_MANNER": "onwards", "TRAINMARK_SHIM_FAIL": str(self.random.randint(20, 4000))}
        with open(self.folder / "bench.log", "ab") as log:
            return subprocess.Popen([self.bin / "trainmark", "run", self.folder / "soak.yaml", "--out", self.results, "--resume"],
                                    stdout=subprocess.DEVNULL, stderr=log, env=variables)

    def disturb(self, bench, kills_at):
        """Kills a trainer at random; the bench, once it has done so many runs."""
        if self.random.random() < 0.15:
            for pid in processes_with(str(self.clock))[:1]:
                try:
                    os.kill(pid, signal.SIGKILL)
                    self.counts["trainers killed"] += 1
                except OSError:
                    pass
        if kills_at is not None and self.runs_done >= kills_at:
            bench.kill()
            self.counts["bench killed"] += 1

    def session(self, begin, last):
        """One start of the bench, to its end; True once the suite is done."""
        self.counts["sessions"] += 1
        kind = "well" if last else self.random.choice(["killed", "killed", "full" if self.shim else "killed"])
        kills_at = self.runs_done + self.random.randint(1, self.total // 20) if kind == "killed" else None
        bench = self.start_bench(kind == "full")
        while bench.poll() is None:
            self.sample(bench.pid, begin)
            self.disturb(bench, kills_at)
            if self.serve is not None and self.random.random() < 0.2:
                self.read_page()
            time.sleep(PAUSE_BETWEEN_SAMPLES)
        self.follow_journal()
        if bench.returncode == 1 and kind == "full" and self.runs_done < self.total:
            self.counts["disk full"] += 1
        elif bench.returncode not in (1, -signal.SIGKILL):  # 1: failed runs are part of this suite
            self.troubles.append(f"the bench ended with {bench.returncode}; see {self.folder}/bench.log")
        deadline = time.monotonic() + 60
        while processes_with(str(self.clock)) and time.monotonic() < deadline:
            time.sleep(0.05)
        if processes_with(str(self.clock)):
            self.troubles.append("a trainer outlived the bench by a minute")
        return self.runs_done >= self.total or bool(self.troubles)

    # What must be so at the end.

    def check_journal(self):
        pairs, failures, unread, ids = {}, {}, 0, set()
        for line in (self.results / "journal.jsonl").read_bytes().splitlines():
            try:
                record = json.loads(line)["record"]
            except (ValueError, KeyError):
                unread += 1
                continue
            if record["type"] != "run":
                continue
            cell, kind = record["cell"], record.get("failure", "")
            pair = json.dumps(cell, sort_keys=True), record["round"]
            pairs[pair] = pairs.get(pair, 0) + 1
            ids.add(record["id"])
            failures[kind or "well"] = failures.get(kind or "well", 0) + 1
            expected = TRAINERS[cell["framework"].split(":")[0]][1]
            by_hand = kind == "crash" and "SIGKILL" in record.get("reason", "")
            if kind != expected and not by_hand:
                self.troubles.append(f"run {record['id']} ended as '{kind}' instead of '{expected}': {record.get('reason')}")
            if not (self.results / "runs" / record["id"]).is_dir():
                self.troubles.append(f"run {record['id']} has no folder")
        if len(pairs) != self.total or any(count != 1 for count in pairs.values()) or len(ids) != self.total:
            self.troubles.append(f"{len(pairs)} pairs of {self.total} are in the journal, {len(ids)} ids")
        if unread:
            self.troubles.append(f"{unread} lines of the journal cannot be read")
        return failures

    def check_flat(self):
        """The samples after the first fifth, in which caches fill."""
        late = [row for row in self.samples if row["runs"] > self.total / 5]
        figures = {}
        # A bench begins with reading the journal and ends with the report: both take as much as there is.
        sessions = [[(row["runs"], row["bench_bytes"]) for row in late if row["session"] == number and row["runs"] < self.total]
                    for number in range(1, self.counts["sessions"] + 1)]
        figures["bench: bytes per run"] = slope_within([points[START_SAMPLES:] for points in sessions])
        figures["serve: bytes per run"] = slope([(row["runs"], row["serve_bytes"]) for row in late])
        for name in ("bench", "serve"):
            figures[f"{name}: most bytes"] = max(row[f"{name}_bytes"] for row in self.samples)
            for key in ("descriptors", "threads"):
                values = [row[f"{name}_{key}"] for row in late]
                quarter = max(1, len(values) // 4)
                # Medians: the moments in which a bench begins, and asks all trainers at once, are few and high.
                first, final = statistics.median(values[:quarter]), statistics.median(values[-quarter:])
                figures[f"{name}: {key}, early"], figures[f"{name}: {key}, late"] = first, final
                figures[f"{name}: most {key}"] = max(row[f"{name}_{key}"] for row in self.samples)
                if final > first + MORE_DESCRIPTORS:
                    self.troubles.append(f"{name} takes more and more {key}")
        journal = slope([(row["runs"], row["journal_bytes"]) for row in late])
        figures["journal: bytes per run"] = journal
        if figures["bench: bytes per run"] > BENCH_GROWTH_BYTES:
            self.troubles.append("the bench takes more and more memory")
        if figures["serve: bytes per run"] > SERVE_GROWTH * journal:
            self.troubles.append("serve takes more memory than the journal that it shows")
        folders = sorted((self.results / "runs").iterdir())
        sizes = [sum(file.stat().st_size for file in folder.iterdir()) for folder in folders]
        quarter = len(sizes) // 4
        first, final = (sum(part) / quarter for part in (sizes[:quarter], sizes[-quarter:]))
        figures["logs: bytes per run, first quarter"], figures["logs: bytes per run, last quarter"] = first, final
        # A killed trainer leaves less.
        if final > 1.2 * first:
            self.troubles.append("the logs of a run become larger and larger")
        seconds = [(row["runs"], row["seconds"]) for row in late]
        half = len(seconds) // 2
        figures["milliseconds per run"] = 1000 * slope(seconds)
        figures["milliseconds per run, last half"] = 1000 * slope(seconds[half:])
        return figures

    def run(self):
        begin = time.monotonic()
        try:
            while not self.session(begin, last=self.runs_done > 0.9 * self.total):
                pass
        finally:
            if self.serve is not None:
                self.serve.kill()
                self.serve.wait()
        seconds = time.monotonic() - begin
        with open(self.folder / "samples.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(self.samples[-1]))
            writer.writeheader()
            writer.writerows(self.samples)
        failures = self.check_journal()
        figures = self.check_flat()
        print(f"{self.runs_done} runs in {seconds / 60:.1f} minutes, {len(self.samples)} samples")
        print("; ".join(f"{name}: {count}" for name, count in self.counts.items()))
        print("outcomes: " + ", ".join(f"{count} {kind}" for kind, count in sorted(failures.items())))
        for name, value in figures.items():
            print(f"  {name:40} {value:14.2f}")
        for trouble in self.troubles[:20]:
            print("TROUBLE: " + trouble)
        return not self.troubles


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", help="the folder of the built programs")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--out", default="build/soak", help="a folder that is not there yet (default: build/soak)")
    parser.add_argument("--seed", type=int, default=1, help="of the faults")
    sys.exit(0 if Soak(parser.parse_args()).run() else 1)


if __name__ == "__main__":
    main()
