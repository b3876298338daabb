"""A checkpoint counts when all of it is on the disk, whenever its writers are killed."""

import shutil
import threading
import unittest

import numpy as np
import support
from trainmark.failure import UserError
from trainmark.quality.checkpoint import Checkpoint, Progress


@support.needs("safetensors")
class Ranks(support.TemporaryFolder):
    def write(self, step, between=lambda moment: None):
        """By two ranks. `between(moment)` is called when both have come to where they wait for each other."""
        moments = []

        def meet():
            moments.append(len(moments))
            between(moments[-1])

        barrier = threading.Barrier(2, action=meet)
        failures = []

        def save(rank):
            try:
                tensors = {"own": np.array([100 * step + rank])}
                self.checkpoint(rank).write(tensors, Progress(step=step), {"position": "0:0"}, barrier.wait)
            except Exception as error:
                failures.append(error)
                barrier.abort()

        threads = [threading.Thread(target=save, args=(rank,)) for rank in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def checkpoint(self, rank, seed="1", folder="kept"):
        return Checkpoint(self.folder / folder, {"seed": seed}, rank)

    def read(self, folder="kept"):
        """The step of the checkpoint, and what each rank has in it."""
        step = self.checkpoint(0, folder=folder).read_progress().step
        return step, [self.checkpoint(rank, folder=folder).read_tensors(step)["own"].item() for rank in range(2)]

    def test_all_ranks_go_on_from_the_same_step_whenever_they_were_killed(self):
        self.assertIsNone(self.checkpoint(0).read_progress())
        self.write(1)
        # What a kill would leave behind at each moment:
        self.write(2, lambda moment: shutil.copytree(self.folder / "kept", self.folder / f"moment{moment}"))
        self.assertEqual(self.read("moment0"), (1, [100, 101]), "rank 0's has not its place yet")
        self.assertEqual(self.read("moment1"), (2, [200, 201]), "rank 1's has its last name not yet")
        self.assertEqual(self.read(), (2, [200, 201]))

    def test_a_rank_without_its_file_says_so(self):
        self.write(1)
        for file in (self.folder / "kept").glob("checkpoint.rank1*"):
            file.unlink()
        with self.assertRaisesRegex(UserError, "rank1.*was not found, or is not of step 1"):
            self.read()

    def test_damaged_metadata_is_refused(self):
        from safetensors.numpy import save_file

        self.write(1)
        path = self.folder / "kept" / "checkpoint.safetensors"
        good = {"version": "1", "seed": "1", "step": "1", "samples": "2", "seconds": "3.5", "evaluations": "[]"}
        save_file({}, path, good)
        self.assertEqual(self.checkpoint(0).read_progress(), Progress(1, 2, 3.5, []))
        for name, value in (("step", "x"), ("step", "-1"), ("evaluations", "{"), ("evaluations", "{}"), ("seconds", "nan")):
            save_file({}, path, {**good, name: value})
            with self.assertRaisesRegex(UserError, "its metadata is damaged; remove it to start over"):
                self.checkpoint(0).read_progress()
        save_file({}, path, {**good, "version": "2"})
        with self.assertRaisesRegex(UserError, "its version is 2, and ours is 1"):
            self.checkpoint(0).read_progress()

    def test_a_folder_that_cannot_be_made_is_named(self):
        (self.folder / "file").write_text("")
        with self.assertRaisesRegex(UserError, "file/kept cannot be made"):
            self.checkpoint(0, folder="file/kept").read_progress()


if __name__ == "__main__":
    unittest.main()
