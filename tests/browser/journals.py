"""Journals for the tests of the page: one that the built bench has really measured, and ones made from its records."""

import copy
import json
import os
import stat
import subprocess
import zlib
from pathlib import Path

BIN = Path(os.environ["TRAINMARK_BIN"])

# Trainers of the test: the clock under other names, with other speeds, precisions and processes.
WRAPPER = """#!/usr/bin/env python3
import json, os, subprocess, sys
clock, name, milliseconds = {clock!r}, {name!r}, {milliseconds!r}
arguments = sys.argv[1:]
if "--describe" in arguments:
    offer = json.loads(subprocess.run([clock, "--describe"], check=True, capture_output=True, close_fds=False).stdout)
    offer.update(framework=name, versions={{name: "1.0"}})
    workload = offer["workloads"][0]
    workload.update(precisions={{"cpu": ["fp32", "amp-bf16"]}}, several_ranks=True)
    print(json.dumps(offer))
    sys.exit()
if "amp-bf16" in arguments:
    arguments[arguments.index("amp-bf16")] = "fp32"
    milliseconds /= 2
os.execv(clock, [clock, *arguments, "--step-ms", str(milliseconds), "--noise", "0.02", "--warmup-steps", "6",
                 "--warmup-factor", "5", "--most-batch", "4", "--sleep"])
"""

SUITE = """
name: page
title: A page for browsers
matrix:
  - {workload: clock, framework: [hare, tortoise], size: tiny, precision: [fp32, amp-bf16], batch: [1, 2]}
  - {workload: clock, framework: hare, size: tiny, batch: [8]}
  - {workload: clock, framework: hare, size: tiny, batch: 4, scale: [1n1g, 1n2g]}
measure: {rule: fixed, steps: 60, skip: 12}
rounds: 2
"""

# The tortoise is slower per step and learns from fewer samples.
QUALITY = """
name: quality
matrix: {workload: clock, framework: [hare, tortoise], size: tiny, batch: 2, data: flowers}
measure: {rule: quality, target: 0.9}
rounds: 3
frameworks:
  hare: {arguments: [--steps-per-epoch, 12, --learn-epochs, 1.2, --learn-spread, 0.05]}
  tortoise: {arguments: [--steps-per-epoch, 12, --learn-epochs, 0.6, --learn-spread, 0.05]}
"""


def make_home(folder):
    """A home with two frameworks, each a program of its own."""
    for name, milliseconds in (("hare", 1.0), ("tortoise", 2.0)):
        place = folder / "frameworks" / name
        place.mkdir(parents=True)
        program = place / f"train-{name}"
        program.write_text(WRAPPER.format(clock=str(BIN / "trainmark-clock"), name=name, milliseconds=milliseconds))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        (place / "framework.yaml").write_text(f"title: {name}\nprogram: [./train-{name}]\nsetup: none\n")
    (folder / "suites").mkdir()
    return folder


def trainmark(*arguments, home=None):
    environment = dict(os.environ, **({"TRAINMARK_HOME": str(home)} if home else {}))
    return subprocess.run([str(BIN / "trainmark"), *map(str, arguments)], env=environment, capture_output=True, text=True)


def measured_journal(folder):
    """What `trainmark run` writes. One cell fails on purpose, so the bench's exit code is 1."""
    home = make_home(folder / "home")
    suite = folder / "page.yaml"
    suite.write_text(SUITE)
    outcome = trainmark("run", suite, "--out", folder / "results", home=home)
    if outcome.returncode != 1:
        raise AssertionError(outcome.stderr)
    return folder / "results"


def quality_journal(folder, home):
    """Trainings to quality of two frameworks."""
    (folder / "flowers").mkdir(parents=True)
    suite = folder / "quality.yaml"
    suite.write_text(QUALITY)
    outcome = trainmark("run", suite, "--out", folder / "results", home=home)
    if outcome.returncode != 0:
        raise AssertionError(outcome.stderr)
    return folder / "results"


def write_page(journal, page, *arguments):
    outcome = trainmark("report", journal, "--format", "html", "--out", page, *arguments)
    if outcome.returncode != 0:
        raise AssertionError(outcome.stderr)
    return page


def report_json(journal):
    return json.loads(trainmark("report", journal, "--format", "json").stdout)


def records(journal):
    return [json.loads(line)["record"] for line in (journal / "journal.jsonl").read_text().splitlines()]


def write_journal(folder, list_of_records):
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "journal.jsonl").open("w") as file:
        for record in list_of_records:
            text = json.dumps(record, separators=(",", ":"))
            file.write(f'{{"crc":"{zlib.crc32(text.encode()):08x}","record":{text}}}\n')
    return folder


HOSTILE = ["<img src=x onerror=\"window.hacked='img'\">", "</script><script>window.hacked='script'</script>",
           "<!--<script>", "\u2028window.hacked='line'\u2029", "javascript:window.hacked='link'", "\x1b[31m\x00\x07\u202eevil",
           "{{data}}", "__proto__", "//evil.example/path", "'\"`${window.hacked=1}", "\U0001f642 " * 3, "x" * 10_000]


def hostile_journal(folder, source):
    """The measured journal with hostile texts wherever others may write one."""
    made = []
    runs = 0
    for record in copy.deepcopy(records(source)):
        text = HOSTILE[runs % len(HOSTILE)]
        if record["type"] == "suite":
            record.update(title=HOSTILE[1], name=HOSTILE[0], text="\n".join(HOSTILE), overrides=[HOSTILE[0], HOSTILE[4]])
        elif record["type"] == "environment":
            record["environment"]["system"] = {text: text for text in HOSTILE}
            record["environment"][HOSTILE[0]] = HOSTILE
        elif record["type"] == "run":
            runs += 1
            record["cell"].update(workload=text, framework=HOSTILE[(runs + 3) % len(HOSTILE)], precision=HOSTILE[0])
            record.update(id=text, unit=HOSTILE[1], folder=(HOSTILE[4], "//evil.example/x", "../../" + text)[runs % 3], rule=text,
                          command=[*record["command"], *HOSTILE], started=HOSTILE[0])
            record["trainer"] = {"versions": {text: text}, "math": {name: text for name in HOSTILE}}
            record["verdicts"] = [{"name": name, "message": text} for name in HOSTILE]
            if not record["ok"]:
                record.update(failure=HOSTILE[0], reason="\n".join(HOSTILE))
        made.append(record)
    made.append({"schema": 1, "type": "skip", "cell": made[-1]["cell"] | {"workload": HOSTILE[1]}, "reason": HOSTILE[0]})
    write_journal(folder, made)
    with (folder / "journal.jsonl").open("a") as file:
        file.write("<script>window.hacked='damage'</script>\n")
    return folder


def made_journal(folder, source, cells):
    """A journal of made-up figures: cells are (fields of the cell, unit, a throughput per round, verdicts of every run). Runs share the steps
    of measured ones."""
    samples = records(source)
    patterns = [record for record in samples if record["type"] == "run" and record["ok"] and record["cell"]["scale"] == "1n1g"]
    made = [record for record in samples if record["type"] in ("suite", "environment")]
    number = 0
    for round_ in range(max(len(values) for _, _, values, _ in cells)):
        for fields, unit, values, verdicts in cells:
            if round_ >= len(values):
                continue
            number += 1
            record = copy.deepcopy(patterns[number % len(patterns)])
            value = values[round_]
            record["cell"].update({"scale": "1n1g"} | fields)
            record.update(id=f"{number:04}-made", round=round_ + 1, unit=unit, verdicts=verdicts, folder=f"runs/made-{number % len(patterns)}")
            if any(verdict["name"] == "foreign" for verdict in verdicts):
                record["command"] = []  # as of imported figures
            record["summary"]["throughput"].update(value=value, seconds=record["summary"]["throughput"]["items"] / value,
                                                   relative_error=0.002, interval={"low": value * 0.996, "high": value * 1.004})
            record["trainer"].update(batch=record["cell"]["batch"], precision=record["cell"]["precision"])
            record["summary"]["step_median"] = record["cell"]["batch"] / value
            record["peak_host_bytes"] = 2**28 * (1 + zlib.crc32(fields["workload"].encode()) % 9)
            made.append(record)
    write_journal(folder, made)
    for number, pattern in enumerate(patterns):
        place = folder / "runs" / f"made-{number}"
        place.mkdir(parents=True)
        place.joinpath("events.jsonl").write_bytes((source / pattern["folder"] / "events.jsonl").read_bytes())
    return folder


WORKLOADS = {"resnet50": ("images", 8, 20.0), "se_resnext50": ("images", 4, 12.0), "deeplabv3p": ("samples", 2, 2.1), "bert": ("sequences", 8, 27.0),
             "transformer": ("tokens", 256, 1000.0), "cyclegan": ("samples", 1, 3.8), "arcface": ("faces", 8, 14.0)}
SPREAD = (0.999, 1.0, 1.002)
DOUBTS = [{"name": "other-load", "message": "other processes used 31 % of the cores"}, {"name": "outliers", "message": "3 of 60 steps"}]


def one_framework_journal(folder, source):
    cells = [({"workload": name, "size": "small", "framework": "libtorch:eager", "precision": "fp32", "batch": batch, "device": "cpu"}, unit,
              [value * share for share in SPREAD], DOUBTS[:place % 3]) for place, (name, (unit, batch, value)) in enumerate(WORKLOADS.items())]
    cells.append(({"workload": "bert", "size": "small", "framework": "libtorch:eager", "precision": "amp-bf16", "batch": 8, "device": "cpu"},
                  "sequences", [33 * share for share in SPREAD], []))
    cells.append(({"workload": "clock", "size": "small", "framework": "clock:spin", "precision": "fp32", "batch": 1, "device": "cpu"},
                  "steps", [200 * share for share in SPREAD], []))  # as `make bench` measures it
    return made_journal(folder, source, cells)


def six_framework_journal(folder, source):
    """bert is a tie, on cyclegan the runs cannot tell, the fastest figure of arcface is hard to believe, mxnet was imported, resnet50 was scaled."""
    speeds = {"libtorch:eager": 1.0, "pytorch:eager": 0.93, "pytorch:compile": 1.12, "jax:jit": 1.04, "tensorflow:xla": 0.88, "paddle:static": 0.71, "mxnet:hybrid": 0.64}
    cells = []
    for place, (name, (unit, batch, value)) in enumerate(WORKLOADS.items()):
        for framework, speed in speeds.items():
            verdicts, shares = DOUBTS[:(place + len(framework)) % 3], SPREAD
            if name == "bert" and framework == "jax:jit":
                speed = speeds["pytorch:compile"] * 1.0005
            if name == "cyclegan":
                shares = (0.8, 1.0, 1.15)
            if name == "arcface" and framework == "paddle:static":
                speed, verdicts = 1.9, [{"name": "loss-nan", "message": "the loss was NaN from step 3"}]
            if framework == "mxnet:hybrid":
                verdicts = [{"name": "foreign", "message": "not measured by Trainmark: read from mxnet.log (speedometer)"}]
            if name == "deeplabv3p" and framework == "tensorflow:xla":
                verdicts = [{"name": "clock-differs", "message": "made up"}]
            if framework == "jax:jit" and name == "transformer":
                speed = 1.3
            cells.append(({"workload": name, "size": "small", "framework": framework, "precision": "fp32", "batch": batch, "device": "cpu"}, unit,
                          [value * speed * share for share in shares], verdicts))
    for framework in ("libtorch:eager", "pytorch:compile", "jax:jit"):
        for ranks, efficiency in ((2, 0.97), (4, 0.93), (8, 0.85), (16, 0.7)):
            scale = f"1n{ranks}g" if ranks <= 8 else f"{ranks // 8}n8g"
            cells.append(({"workload": "resnet50", "size": "small", "framework": framework, "precision": "fp32", "batch": 8, "device": "cpu", "scale": scale},
                          "images", [20.0 * speeds[framework] * ranks * efficiency * share for share in SPREAD], []))
    return made_journal(folder, source, cells)


def many_cells_journal(folder, source, cells=500):
    names = list(WORKLOADS)
    frameworks = ["libtorch:eager", "libtorch:graph", "pytorch:eager", "pytorch:compile", "pytorch:graph", "jax:jit", "tensorflow:xla", "paddle:static"]
    made = []
    for number in range(cells):
        name = names[number % 7]
        unit, batch, value = WORKLOADS[name]
        framework = frameworks[number // 7 % 8]
        step = number // 56
        speed = value * (1 + 0.1 * frameworks.index(framework)) * (1 + 0.05 * step) * (1.6 if step % 2 else 1)
        made.append(({"workload": name, "size": "full", "framework": framework, "precision": "amp-bf16" if step % 2 else "fp32",
                      "batch": batch * 2 ** (step // 2), "device": "cuda"}, unit, [speed], DOUBTS[:number % 3]))
    return made_journal(folder, source, made)


def large_journal(folder, source, results, steps):
    """Many results of one run each. The runs share a folder of events: the page must read and thin them all the same."""
    samples = records(source)
    pattern = next(record for record in samples if record["type"] == "run" and record["ok"])
    made = [record for record in samples if record["type"] in ("suite", "environment")]
    for number in range(results):
        record = copy.deepcopy(pattern)
        record["cell"].update(workload=f"workload{number % 10}", framework=f"framework{number // 10 % 10}:mode",
                              batch=1 + number // 100, scale="1n1g")
        record.update(id=f"{number:05}-made", folder="runs/shared")
        value = 100 + number
        record["summary"].update(steps=steps, warmup=steps // 10, used=steps - steps // 10)
        record["summary"]["throughput"].update(value=value, interval={"low": value * 0.99, "high": value * 1.01})
        made.append(record)
    write_journal(folder, made)
    shared = folder / "runs" / "shared"
    shared.mkdir(parents=True)
    with (shared / "events.jsonl").open("w") as file:
        end = 0.0
        for step in range(steps):
            seconds = 0.001 if step != steps // 2 else 0.5
            end += seconds
            file.write(json.dumps({"event": "step", "step": step, "end": end, "seconds": seconds, "items": 1, "loss": 7 - step / steps}) + "\n")
    return folder
