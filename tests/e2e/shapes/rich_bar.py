"""A progress bar as rich draws it on a terminal: colours, a cleared line, elapsed time."""

import sys

from shape_clock import Clock

TOTAL = 20000
clock = Clock()
for n in range(20, TOTAL + 1, 20):
    seconds = clock.steps(20)
    done = 40 * n // TOTAL
    elapsed = int(clock.ends[-1] - clock.begin)
    sys.stdout.write("\r\x1b[2K\x1b[1mTraining\x1b[0m \x1b[38;2;249;38;114m" + "━" * done + "\x1b[0m\x1b[38;5;237m" +
                     "━" * (40 - done) + f"\x1b[0m \x1b[32m{n}/{TOTAL}\x1b[0m • \x1b[33m0:{elapsed // 60:02d}:"
                     f"{elapsed % 60:02d}\x1b[0m • \x1b[31m{20 / seconds:.1f} it/s\x1b[0m loss \x1b[1;36m0.512\x1b[0m")
    sys.stdout.flush()
