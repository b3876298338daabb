"""What `trainmark data make` says to be attainable is what a perfect predictor reaches, in the metrics of evaluations."""

import json
import os
import subprocess
import unittest
from pathlib import Path

import numpy as np
import support
from trainmark.data_sets import open_data_set, open_evaluation_set
from trainmark.quality.frechet import distance_of, features_of
from trainmark.quality.metrics import make_metric
from trainmark.workloads import find_workload

TRAINMARK = Path(os.environ.get("TRAINMARK_BIN", support.ROOT / "build" / "release" / "bin")) / "trainmark"
EVALUATED = 40


@unittest.skipUnless(TRAINMARK.exists(), "trainmark is not built")
@support.needs("PIL")
class Attainable(support.TemporaryFolder):
    def make(self, format, *words, evaluated=EVALUATED):
        """The evaluation split, and what can be attained with it."""
        folder = self.folder / f"{format}{evaluated}"
        words = ("--items", 20, "--evaluation-items", evaluated, "--height", 32, "--out", folder, *words)
        command = [TRAINMARK, "data", "make", "--format", format, *words]
        subprocess.run(list(map(str, command)), check=True, capture_output=True)
        kinds = {"imagefolder": "labelled-images", "cityscapes": "labelled-pixels", "cyclegan": "image-pairs"}
        kind = kinds[format]
        found = open_evaluation_set(open_data_set(folder, kind, [format]), folder, None, kind, [format])
        attainable = json.loads((folder / "trainmark-data.json").read_text())["attainable"]
        return found, attainable

    def expect(self, workload, attainable, outputs):
        contract = find_workload(workload)
        self.assertEqual(attainable["metric"], contract.metric)
        metric = make_metric(contract, contract.sizes["tiny"])
        metric.add(outputs)
        self.assertAlmostEqual(metric.quality([metric.parts()]), attainable["quality"], places=12)

    def test_whoever_knows_all_labels_has_no_fault(self):
        for workload, words in (("resnet50", ()), ("arcface", ("--faces",))):
            with self.subTest(workload):
                found, attainable = self.make("imagefolder", "--classes", 10, *words, evaluated=EVALUATED + len(words))
                labels = np.array(found.labels)
                outputs = {"predictions": labels, "labels": labels, "losses": 0, "embeddings": np.eye(10)[labels]}
                self.expect(workload, attainable, outputs)

    def test_whoever_knows_the_classes_of_all_pixels_has_no_fault(self):
        found, attainable = self.make("cityscapes")
        labels = np.stack([self.picture(found, part) for part in found.others])
        self.assertIn(255, labels)
        self.expect("deeplabv3p", attainable, {"predictions": labels % 19, "labels": labels, "losses": 0})

    def test_pictures_of_the_same_rules_are_as_far_apart_as_is_said(self):
        """Further ones for evaluation are made by the same rules."""
        _, attainable = self.make("cyclegan", "--width", 32)
        found, fewer = self.make("cyclegan", "--width", 32, evaluated=2 * EVALUATED)
        distances = []
        for side in (found.parts, found.others):
            features = np.concatenate(
                [features_of(self.picture(found, part).transpose(2, 0, 1)[None] / 127.5 - 1) for part in side]
            )
            self.assertEqual(len(features), 2 * EVALUATED)
            distances.append(distance_of(features[EVALUATED:], features[:EVALUATED]))
        self.assertEqual(attainable["metric"], find_workload("cyclegan").metric)
        self.assertAlmostEqual(attainable["quality"], np.mean(distances), delta=0.02 * np.mean(distances))
        self.assertLess(fewer["quality"], attainable["quality"], "more pictures differ less by chance")

    def picture(self, found, part):
        import io

        from PIL import Image

        return np.asarray(Image.open(io.BytesIO(found.read(part))))


if __name__ == "__main__":
    unittest.main()
