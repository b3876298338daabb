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
