"""The augmentation `shifts`: whole pictures, moved by up to an eighth of a side and mirrored by chance. What becomes empty has
the mean colour."""

import numpy as np

from .input import MEAN

MEAN_COLOUR = np.array([round(255 * mean) for mean in MEAN], np.uint8)


def most_pixels(side):
    """That a picture is moved."""
    return side // 8


def shifted(picture, right, down, mirrored):
    """`picture`: [height, width, 3] in eight bits. It is mirrored first, and then moved by so many pixels."""
    if mirrored:
        picture = picture[:, ::-1]
    result = np.empty_like(picture)
    result[:] = MEAN_COLOUR
    rows, columns = (_overlap(offset, length) for offset, length in zip((down, right), picture.shape))
    result[rows[0], columns[0]] = picture[rows[1], columns[1]]
    return result


def _overlap(offset, length):
    """Where it is when it was moved, and where that was before."""
    return slice(max(0, offset), length + min(0, offset)), slice(max(0, -offset), length + min(0, -offset))


def random_shift(picture, side, chances):
    """Of a picture of Pillow's, as an array. `chances`: Python's `random`, or one like it."""
    most = most_pixels(side)
    mirrored = chances.random() < 0.5
    right, down = chances.randint(-most, most), chances.randint(-most, most)
    return shifted(whole(picture, side), right, down, mirrored)


def whole(picture, side):
    """All of a picture of Pillow's in a square."""
    from PIL import Image

    return np.asarray(picture.resize((side, side), Image.Resampling.BILINEAR))
