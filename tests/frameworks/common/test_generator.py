import unittest

import support


@support.needs("numpy")
class Threefry(unittest.TestCase):
    def test_gives_the_published_answers(self):
        import numpy as np

        from trainmark.generator import threefry2x32

        # From the known-answer file of the authors' Random123 library.
        for key, counter, answer in [
            ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
            ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
            ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
        ]:
            words = threefry2x32(key, [np.array([word], np.uint32) for word in counter])
            self.assertEqual(tuple(int(word[0]) for word in words), answer)


@support.needs("numpy")
class Numbers(unittest.TestCase):
    def setUp(self):
        from trainmark.generator import Generator

        self.make = Generator

    def test_derive_their_key_as_documented(self):
        import numpy as np

        from trainmark.generator import threefry2x32

        def word(key, counter):
            return int(threefry2x32(key, [np.array([part], np.uint32) for part in counter])[0][0])

        # FNV-1a of "" is its offset, of "a" 0xaf63dc4c8601ec8c.
        self.assertEqual(self.make(0, "").words(1, 5)[0], word((0x84222325, 0xCBF29CE4), (5, 0)))
        self.assertEqual(
            self.make(0x100000002, "a").words(1, 0x300000004)[0],
            word((0x8601EC8C ^ 2, 0xAF63DC4C ^ 1), (4, 3)),
        )

    def test_are_the_same_however_they_are_cut(self):
        generator = self.make(3, "images")
        whole = generator.words(100_000)
        self.assertTrue((generator.words(40_000, 60_000) == whole[60_000:]).all())
        self.assertEqual(generator.words(1, 70_001)[0], whole[70_001])

    def test_are_in_their_ranges(self):
        import numpy as np

        generator = self.make(7, "stem.conv.weight")
        uniform = generator.uniform((100, 1000))
        self.assertEqual(uniform.dtype, np.float32)
        self.assertGreaterEqual(uniform.min(), 0)
        self.assertLess(uniform.max(), 1)
        self.assertAlmostEqual(uniform.mean(dtype=np.float64), 0.5, delta=0.005)  # five standard errors
        symmetric = generator.symmetric((100, 1000), 0.25)
        self.assertTrue((symmetric == (uniform - np.float32(0.5)) * np.float32(0.5)).all())
        integers = generator.integers((1000,), 7)
        self.assertEqual(set(integers.tolist()), set(range(7)))

    def test_may_have_a_range_for_each_column(self):
        generator = self.make(1, "masked_positions")
        together = generator.integers((50, 2), [3, 1000])
        self.assertTrue((together[:, 0] == generator.integers((50, 2), 3)[:, 0]).all())
        self.assertTrue((together[:, 1] == generator.integers((50, 2), 1000)[:, 1]).all())
