"""Steps of a training that only keeps time, and the truth about them.

Steps end at fixed moments, so that a step that was late on a busy machine does not delay the next ones. The moments
at which they really ended go into the file TRUTH, one per line, below the number of items of a step.
"""

import atexit
import os
import time


class Clock:
    def __init__(self, items=1, seconds=0.005):
        self.items = items
        self.seconds = seconds
        self.begin = time.monotonic()
        self.ends = []
        atexit.register(self.tell)

    def step(self):
        """Does a step; returns when it ended."""
        due = self.begin + (len(self.ends) + 1) * self.seconds
        while (now := time.monotonic()) < due:
            time.sleep(due - now)
        self.ends.append(now)
        return now

    def steps(self, count):
        """Does some steps; returns how long they took."""
        before = self.ends[-1] if self.ends else self.begin
        for _ in range(count):
            end = self.step()
        return end - before

    def tell(self):
        with open(os.environ["TRUTH"], "w") as file:
            file.write(f"{self.items}\n")
            file.writelines(f"{end!r}\n" for end in self.ends)


def loss(step):
    return 2.0 + 3.0 / (1 + 0.01 * step)
