"""What `trainmark extract` does with a PaddleClas or PLSC log, as a script with `re` would do it: find the
dialect, take rank, place, loss, time and rate of every record, split runs, drop the warm-up, average.

usage: extract_with_re.py LOG
"""

import re
import statistics
import sys

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf"
RANK = r"(?:\[1,(?P<rank>\d+)\]<std\w+>:.*?)?"
DIALECTS = {
    "paddleclas": re.compile(
        RANK + r"epoch:(?P<epoch>\d+)\s+train step:(?P<step>\d+)\s.*?loss:\s*(?P<loss>" + NUMBER + r").*?"
        r"(?:batch_cost|elapse):\s*(?P<seconds>" + NUMBER + r")\s?s.*?\sips:\s*(?P<rate>" + NUMBER + r")"),
    "plsc": re.compile(
        RANK + r"Pass:(?P<epoch>\d+)\s+batch:(?P<step>\d+)\s.*?loss:(?P<loss>" + NUMBER + r").*?"
        r"qps:(?P<rate>" + NUMBER + r")"),
}
DECOY = re.compile(r"END epoch|eval step|ips: None|ips: 127\.|--ips|[Tt]est qps")
CONTROL = re.compile(r"\x1b\[[0-9;]*m|\x00")


def lines(path):
    """Lines without colours and stray bytes; a carriage return ends one, too."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            for piece in CONTROL.sub("", line).rstrip("\n").split("\r"):
                yield piece


def detect(path):
    found = dict.fromkeys(DIALECTS, 0)
    for line in lines(path):
        for name, pattern in DIALECTS.items():
            found[name] += pattern.search(line) is not None
            if found[name] >= 32:
                return name
    return max(found, key=found.get)


def main(path):
    pattern = DIALECTS[detect(path)]
    runs, decoys, repeated, last = [[]], 0, 0, (-1, -1)
    for line in lines(path):
        match = pattern.search(line)
        if match is None:
            decoys += DECOY.search(line) is not None
            continue
        fields = match.groupdict()
        place = int(fields["epoch"]), int(fields["step"])
        rate, loss = float(fields["rate"]), float(fields["loss"])
        seconds = float(fields["seconds"]) if fields.get("seconds") else None
        rank = int(fields["rank"]) if fields["rank"] else None
        if place == last:
            repeated += 1
            continue
        if place < last and len(runs[-1]) > 2 and place <= runs[-1][0][0]:
            runs.append([])
        runs[-1].append((place, rate, seconds, loss, rank))
        last = place
    rates = [record[1] for record in runs[-1]]
    window = rates[len(rates) // 2:]
    print(f"{statistics.mean(window):.3f} {len(runs)} runs {decoys} decoys {repeated} repeated")


main(sys.argv[1])
