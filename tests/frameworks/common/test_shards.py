import unittest

import numpy as np
import support  # noqa: F401

from trainmark.failure import Unsupported
from trainmark.position import RankPosition
from trainmark.shards import own_rows, shard_of
from trainmark.weights import InitialWeights


def shards(rows, ranks):
    return [shard_of(RankPosition(rank, ranks), rows, "classes") for rank in range(ranks)]


class Shards(unittest.TestCase):
    def test_hold_every_row_once(self):
        for rows, ranks in ((10, 3), (8, 4), (5, 1)):
            places = [row for shard in shards(rows, ranks) for row in range(shard.first, shard.first + shard.count)]
            self.assertEqual(places, list(range(rows)))

    def test_a_rank_without_rows_is_refused(self):
        with self.assertRaisesRegex(Unsupported, "4 classes cannot be divided among 3 ranks; write --whole-classes"):
            shards(4, 3)

    def test_rows_are_those_of_the_whole_tensor(self):
        made = InitialWeights({"classes.weight": (10, 4)}, seed=7)
        whole = made["classes.weight"]
        for arrays in (made, {"classes.weight": whole}):
            parts = [own_rows(arrays, "classes.weight", shard) for shard in shards(10, 3)]
            np.testing.assert_array_equal(np.concatenate(parts), whole)


if __name__ == "__main__":
    unittest.main()
