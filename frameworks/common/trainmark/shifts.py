"""The augmentation `shifts`: whole pictures, moved by up to an eighth of a side and mirrored by chance. What becomes empty has
the mean colour."""

import numpy as np

from .input import MEAN

MEAN_COLOUR = np.array([round(255 * mean) for mean in MEAN], np.uint8)


def most_pixels(side):
    """That a picture is moved."""
    return side // 8


def shifted(picture, left, top, mirrored):
    """`picture`: [height, width, 3] in eight bits. Gives the window of the same size that begins at `left` and `top`, which
    may be beyond its borders, mirrored or not."""
    result = np.empty_like(picture)
    result[:] = MEAN_COLOUR
    height, width = picture.shape[:2]
    rows, columns = _overlap(top, height), _overlap(left, width)
    result[rows[0], columns[0]] = picture[rows[1], columns[1]]
    return result[:, ::-1] if mirrored else result


def _overlap(offset, length):
    """Of window and picture: where it is in each."""
    return slice(max(0, -offset), length + min(0, -offset)), slice(max(0, offset), length + min(0, offset))


def random_shift(picture, side, chances):
    """Of a picture of Pillow's, as an array. `chances`: Python's `random`, or one like it."""
    most = most_pixels(side)
    mirrored = chances.random() < 0.5
    left, top = chances.randint(-most, most), chances.randint(-most, most)
    return shifted(whole(picture, side), left, top, mirrored)


def whole(picture, side):
    """All of a picture of Pillow's in a square."""
    from PIL import Image

    return np.asarray(picture.resize((side, side), Image.Resampling.BILINEAR))
