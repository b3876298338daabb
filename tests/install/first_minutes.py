"""What a newcomer tries first, in an empty folder, with a Trainmark that was installed in any way."""

import json
import re
import subprocess
import urllib.request

SUITE = """\
name: mine
matrix: {workload: clock, framework: clock, size: tiny}
measure: {rule: fixed, steps: 20, skip: 2}
rounds: 1
"""

TRAINER = "import time\nfor step in range(1, 200):\n    time.sleep(0.002)\n    print(f'step {step} loss 0.5', flush=True)\n"


def try_everything(test, place, program, environment, **user):
    """Every command of the first minutes, as `user` (of subprocess). Nothing but `place` is written to."""

    def run(*words, **options):
        done = subprocess.run([program, *words], cwd=place, env=environment, capture_output=True, text=True, **user, **options)
        test.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    test.assertTrue(run("--version").startswith("trainmark "))
    test.assertIn("trainmark run", run("--help"))
    (place / "suite.yaml").write_text(SUITE)
    run("run", "suite.yaml")
    [results] = (place / "results").glob("mine-*")
    test.assertIn("clock:spin", run("report", str(results)))
    test.assertIn("吞吐率", run("report", str(results), "--lang", "zh"))
    test.assertTrue((results / "report.html").exists())
    (place / "train.py").write_text(TRAINER)
    measured = run("measure", "--marker", "step", "--batch", "8", "--out", "measured", "--rounds", "1", "--", "python3", "train.py")
    test.assertIn("/s", measured)
    lines = "".join(f"step {step} | 100 img/s\n" for step in range(1, 60))
    pattern = ["--pattern", r"step (?P<step>\d+) \| (?P<rate>[\d.]+) img/s"]
    (place / "train.log").write_text(lines)
    for words, options in ((["train.log"], {}), (["-"], {"input": lines})):
        read = json.loads(run("extract", *words, *pattern, "--format", "json", **options))
        test.assertAlmostEqual(read["logs"][0]["throughput"], 100, delta=1)
    test.assertIn("clock", run("compare", str(results), str(results)))
    serves(test, place, [program, "serve", str(results), "--port", "0"], environment, user)


def serves(test, place, command, environment, user):
    server = subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **user)
    try:
        address = None
        while address is None:
            line = server.stdout.readline()
            test.assertTrue(line, "serve ended without an address")
            address = re.search(r"http://[\d.:\[\]]+/", line)
        with urllib.request.urlopen(address.group(), timeout=60) as answer:
            test.assertIn(b'id="data"', answer.read())
    finally:
        server.terminate()
        server.stdout.close()
        server.wait()
