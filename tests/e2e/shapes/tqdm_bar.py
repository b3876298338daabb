"""A progress bar as tqdm writes it: over itself, on standard error, with a smoothed rate."""

import sys

from shape_clock import Clock

TOTAL = 5000
BLOCKS = " ▏▎▍▌▋▊▉█"


def bar(share, width=10):
    full, part = divmod(int(share * width * 8), 8)
    return ("█" * full + (BLOCKS[part] if full < width else "")).ljust(width)


def clock_text(seconds):
    minutes, seconds = divmod(int(seconds), 60)
    return f"{minutes:02d}:{seconds:02d}"


clock = Clock()
for epoch in range(1000):
    begin = shown = clock.ends[-1] if clock.ends else clock.begin
    smooth, shown_n = None, 0
    sys.stderr.write(f"\r  0%|{bar(0)}| 0/{TOTAL} [00:00<?, ?it/s]")
    for n in range(1, TOTAL + 1):
        now = clock.step()
        if now - shown < 0.1 and n < TOTAL:
            continue
        rate = (n - shown_n) / (now - shown)
        smooth = rate if smooth is None else 0.3 * rate + 0.7 * smooth
        shown, shown_n = now, n
        sys.stderr.write(f"\r{100 * n // TOTAL:3d}%|{bar(n / TOTAL)}| {n}/{TOTAL} [{clock_text(now - begin)}<"
                         f"{clock_text((TOTAL - n) / smooth)}, {smooth:6.2f}it/s, loss=0.512]")
        sys.stderr.flush()
    sys.stderr.write("\n")
