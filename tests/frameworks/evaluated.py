"""Small data sets of every kind with a split to evaluate on, whose batches are the same in every program whatever its chances:
what one evaluation gives from the same weights is compared, and nothing is to be learned."""

import io
import struct

import numpy as np
from quality import make_pictures

VOCABULARY = 100  # of the size tiny


def make_street(folder, name, picture, labels):
    from PIL import Image

    for place, content in (("leftImg8bit", picture), ("gtFine", labels)):
        (folder / place / name / "town").mkdir(parents=True, exist_ok=True)
        ending = "leftImg8bit" if place == "leftImg8bit" else "gtFine_labelTrainIds"
        for number, image in enumerate(content):
            Image.fromarray(image).save(folder / place / name / "town" / f"town_{number:06}_000000_{ending}.png")


def make_streets(folder):
    """Pictures to train on have one colour each, so whatever is cut out of them is the same."""
    chances = np.random.default_rng(5)
    colours = chances.integers(0, 256, (4, 1, 1, 3), np.uint8)
    make_street(folder, "train", np.broadcast_to(colours, (4, 64, 128, 3)).copy(), np.full((4, 64, 128), 3, np.uint8))
    labels = np.repeat(np.repeat(chances.integers(0, 19, (6, 4, 8), np.uint8), 8, 1), 8, 2)
    labels[:, 0] = 255
    make_street(folder, "val", chances.integers(0, 256, (6, 32, 64, 3), np.uint8), labels)
    return folder


def make_sides(folder):
    from PIL import Image

    chances = np.random.default_rng(5)
    for name, count in (("trainA", 4), ("trainB", 4), ("testA", 6), ("testB", 6)):
        (folder / name).mkdir(parents=True)
        for number in range(count):
            small = chances.integers(0, 256, (8, 8, 3), np.uint8)
            Image.fromarray(np.repeat(np.repeat(small, 8, 0), 8, 1)).save(folder / name / f"{number}.png")
    return folder


def make_tokens(folder):
    folder.mkdir()
    chances = np.random.default_rng(5)
    for name, windows in (("train", 8), ("val", 20)):
        tokens = chances.integers(0, VOCABULARY - 1, windows * 512).astype("<u2")
        header = struct.pack("<3i", 20240520, 1, len(tokens)) + bytes(1012)
        (folder / f"{name}.bin").write_bytes(header + tokens.tobytes())
    return folder


def make_pairs(folder, trained=60, evaluated=30, longest=24):
    """Of all lengths up to a little more than the longest that is read."""
    folder.mkdir()
    chances = np.random.default_rng(5)
    for name, count in (("train", trained), ("val", evaluated)):
        text = io.StringIO()
        for _ in range(count):
            sides = (chances.integers(1, VOCABULARY, chances.integers(1, longest + 6)) for _ in range(2))
            print("\t".join(" ".join(map(str, side)) for side in sides), file=text)
        (folder / f"{name}.tsv").write_text(text.getvalue())
    return folder


# How each workload's set is made, and the words with which a batch is all that there is to train on, or the order is the same.
SETS = {
    "resnet50": (make_pictures, ("--batch", 16, "--resolution", 32)),
    "se_resnext50": (make_pictures, ("--batch", 16, "--resolution", 32)),
    "arcface": (make_pictures, ("--batch", 16, "--resolution", 32)),
    "deeplabv3p": (make_streets, ("--batch", 4)),
    "cyclegan": (make_sides, ("--batch", 4)),
    "bert": (make_tokens, ("--batch", 8)),
    "transformer": (make_pairs, ("--batch", 96, "--sequence", 24)),
}
