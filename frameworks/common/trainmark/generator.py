"""The numbers of data and weights: `trainers/common/generator.h` with numpy, bit for bit."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

_PARITY = np.uint32(0x1BD11BDA)  # of Skein's key schedule
_ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)
_ROUNDS = 20
_CHUNK = 1 << 15  # numbers at a time: what a round reads and writes stays in a core's cache


def threefry2x32(key, counter):
    """Both words of Threefry2x32-20. `key`: two numbers; `counter`: two arrays of uint32."""
    key = [np.uint32(word) for word in key]
    key.append(_PARITY ^ key[0] ^ key[1])
    x = counter[0] + key[0]
    y = counter[1] + key[1]
    high = np.empty_like(y)
    for number in range(_ROUNDS):
        rotation = _ROTATIONS[number % 8]
        x += y
        np.left_shift(y, np.uint32(rotation), out=high)
        np.right_shift(y, np.uint32(32 - rotation), out=y)
        y |= high
        y ^= x
        if number % 4 == 3:  # after every fourth round the key goes in again
            injection = number // 4 + 1
            x += key[injection % 3]
            y += np.uint32((int(key[(injection + 1) % 3]) + injection) & 0xFFFFFFFF)
    return x, y


def _fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


class Generator:
    """The numbers of one tensor: each depends on seed, name and index, and on nothing else.

    `first` is the index, in row-major order, at which an array begins.
    """

    def __init__(self, seed, name):
        key = _fnv1a(name) ^ seed
        self._key = (key & 0xFFFFFFFF, key >> 32)

    def words(self, count, first=0):
        """An array of `count` uint32."""
        result = np.empty(count, np.uint32)
        chunks = range(0, count, _CHUNK)
        if len(chunks) < 2:
            self._fill(result, first, 0)
            return result
        # numpy lets go of the interpreter's lock in its loops.
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
            for _ in threads.map(lambda begin: self._fill(result, first, begin), chunks):
                pass
        return result

    def uniform(self, shape, first=0):
        """In [0, 1)."""
        words = self.words(int(np.prod(shape)), first)
        words >>= np.uint32(8)
        return (words.astype(np.float32) * np.float32(2**-24)).reshape(shape)

    def symmetric(self, shape, bound, first=0):
        """In [-bound, bound)."""
        numbers = self.uniform(shape, first)
        numbers -= np.float32(0.5)
        numbers *= np.float32(2) * np.float32(bound)
        return numbers

    def integers(self, shape, n, first=0):
        """In [0, n); `n` is a number, or an array that `shape` ends with."""
        words = self.words(int(np.prod(shape)), first).astype(np.uint64).reshape(shape)
        words *= np.asarray(n, np.uint64)
        words >>= np.uint64(32)
        return words.astype(np.int64)

    def integers_at(self, indices, n):
        """In [0, n), those of any indices: an array of uint64."""
        return ((self.words_at(indices).astype(np.uint64) * np.uint64(n)) >> np.uint64(32)).astype(np.int64)

    def words_at(self, indices):
        """Those of any indices: an array of uint64."""
        low = indices.astype(np.uint32)
        high = (indices >> np.uint64(32)).astype(np.uint32)
        return threefry2x32(self._key, (low, high))[0]

    def _fill(self, result, first, begin):
        part = result[begin : begin + _CHUNK]
        part[:] = self.words_at(np.arange(first + begin, first + begin + len(part), dtype=np.uint64))
