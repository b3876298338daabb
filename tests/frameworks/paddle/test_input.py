"""Batches of data sets on PaddlePaddle."""

import support
from feeding import FeedCase, FeedTests, make_webdataset

support.use_framework("paddle")


@support.needs("paddle")
class DataLoader(FeedTests, FeedCase):
    @staticmethod
    def arrays_of(batch):
        return batch["images"].numpy(), batch["labels"].numpy()

    def test_a_webdataset_has_the_same_pictures_and_labels(self):
        self.expect_epochs(make_webdataset(self.folder / "shards"))

    def test_images_have_the_layout_of_the_model(self):
        for words, shape in (((), [8, 3, 64, 64]), (("--layout", "NHWC"), [8, 64, 64, 3])):
            batch = self.make_feed(self.folder_of_images, *words, workload="se_resnext50").next()
            self.assertEqual(batch["images"].shape, shape)

    def test_both_modes_take_new_batches(self):
        events = self.train("--steps", 3, "--mode", "static")
        self.assertEqual(len({step["loss"] for step in events if step["event"] == "step"}), 3)
