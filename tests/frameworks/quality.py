"""What is true of trainings to a quality in every framework. A framework's own tests inherit from these."""

import struct

import support
import training
from equality import CPP_TRAINER, needs_cpp_trainer
from ranks import start_ranks
from trainmark.failure import Unsupported, UserError

TRAINED, EVALUATED, CLASSES, SIDE = 96, 40, 4, 28
BATCH = 16
STEPS_PER_EPOCH = TRAINED // BATCH


def make_pictures(folder, trained=TRAINED, evaluated=EVALUATED):
    """In the format of Fashion-MNIST: a bright block in a place of its class, and noise."""
    import numpy as np

    folder.mkdir()
    chances = np.random.default_rng(5)
    for name, count in (("train", trained), ("t10k", evaluated)):
        labels = np.arange(count) % CLASSES
        images = chances.integers(0, 60, (count, SIDE, SIDE), np.uint8)
        for image, label in zip(images, labels):
            top, left = 4 + 12 * (label // 2), 4 + 12 * (label % 2)
            image[top : top + 9, left : left + 9] += 160
        header = struct.pack(">IIII", 0x803, count, SIDE, SIDE)
        (folder / f"{name}-images-idx3-ubyte").write_bytes(header + images.tobytes())
        header = struct.pack(">II", 0x801, count)
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(header + labels.astype(np.uint8).tobytes())
    return folder


class QualityCase(support.TemporaryFolder):
    framework = ""

    def setUp(self):
        super().setUp()
        self.data = make_pictures(self.folder / "pictures")

    def words(self, *more):
        return ("--quality", "--data", self.data, "--resolution", 32, "--batch", BATCH, *more)

    def train(self, *more):
        return training.train("resnet50", *self.words(*more))

    def start(self, *more):
        command = support.program(self.framework)
        return support.Program(command, "--workload", "resnet50", "--size", "tiny", *self.words(*more))


def of(events, kind):
    return [event for event in events if event["event"] == kind]


class QualityTests:
    """Of a QualityCase."""

    def test_learns_and_tells_how_well(self):
        events = self.train("--epochs", 4, "--evaluate-every", 0.75, "--learning-rate", 0.05)
        quality = events[0]["quality"]
        self.assertEqual((quality["metric"], quality["better"]), ("top-1 accuracy", "higher"))
        self.assertEqual((quality["epochs"], quality["evaluate_every"]), (4, 0.75))
        self.assertEqual((quality["steps_per_epoch"], quality["evaluation_samples"]), (STEPS_PER_EPOCH, EVALUATED))
        self.assertAlmostEqual(quality["recipe"]["learning_rate"], 0.05 * BATCH / 128)
        self.assertNotIn("resumed", quality)
        evaluations = of(events, "evaluation")
        # 0.75 epochs are 4.5 steps: halves are rounded upwards.
        self.assertEqual([one["step"] for one in evaluations], [5, 9, 14, 18, 23, 24])
        self.assertEqual([one["samples"] for one in evaluations], [BATCH * one["step"] for one in evaluations])
        self.assertEqual(evaluations[1]["epoch"], 1.5)
        self.assertEqual({one["quality"] * EVALUATED % 1 for one in evaluations}, {0.0}, "right ones of all")
        self.assertEqual(events[-1], {"event": "end", "steps": 24, "why": "steps"})

    def test_evaluations_are_no_part_of_steps(self):
        events = self.train("--epochs", 1, "--evaluate-every", 0.5)
        numbers = [event.get("step") for event in events if event["event"] in ("step", "evaluation")]
        self.assertEqual(numbers, [0, 1, 2, 3, 3, 4, 5, 6], "an evaluation comes behind its steps")
        for before, evaluation, after in zip(events, events[1:], events[2:]):
            if evaluation["event"] == "evaluation" and after["event"] == "step":
                self.assertGreaterEqual(evaluation["end"] - evaluation["seconds"], before["end"])
                self.assertGreaterEqual(after["end"] - after["seconds"], evaluation["end"] - 1e-6)

    def test_seeds_differ_in_weights_and_order(self):
        first, again, other = (self.train("--epochs", 0.5, "--seed", seed) for seed in (1, 1, 2))
        self.assertEqual(training.losses_of(first), training.losses_of(again))
        self.assertNotEqual(training.losses_of(first), training.losses_of(other))

    def test_the_recipe_can_be_changed(self):
        words = ("--weight-decay", 0, "--warm-up", 0, "--label-smoothing", 0.1, "--learning-rate", 0)
        events = self.train("--epochs", 0.5, *words)
        recipe = events[0]["quality"]["recipe"]
        self.assertEqual((recipe["weight_decay"], recipe["warm_up"], recipe["label_smoothing"]), (0, 0, 0.1))
        smoothed = training.losses_of(events)
        plain = training.losses_of(self.train("--epochs", 0.5, "--warm-up", 0, "--learning-rate", 0))
        self.assertNotEqual(smoothed[0], plain[0])
        # Nothing was learned with a rate of 0, nor did the decay change the weights; but running values were.
        decayed = training.losses_of(self.train("--epochs", 0.5, "--weight-decay", 1, "--learning-rate", 0))
        self.assertEqual(plain, decayed)

    def test_weights_decay_and_norms_and_biases_are_exempt(self):
        """One step with decay and one without differ by what the decay takes away."""
        import numpy as np
        from safetensors.numpy import load_file

        first, files = self.folder / "first", {}
        rate = 0.1 * BATCH / 128
        for decay in (0, 0.5):
            files[decay] = self.folder / f"decay{decay}"
            words = ("--steps", 1, "--warm-up", 0, "--weight-decay", decay, "--learning-rate", 0.1)
            self.train(*words, "--save-weights", first, "--save-trained", files[decay])
        initial, without, with_decay = (load_file(file) for file in (first, *files.values()))
        for name, array in without.items():
            if ".running_" not in name:
                taken = rate * 0.5 * initial[name] if array.ndim > 1 else 0
                np.testing.assert_allclose(array - with_decay[name], taken, rtol=0, atol=1e-6, err_msg=name)

    def test_without_an_evaluation_split_says_what_to_write(self):
        for file in self.data.glob("t10k-*"):
            file.rename(self.folder / file.name)
        with self.assertRaisesRegex(UserError, "no split for evaluation; add --evaluation-data PATH"):
            self.train()
        events = self.train("--epochs", 0.2, "--evaluation-data", self.folder / "t10k-images-idx3-ubyte")
        self.assertEqual(events[0]["quality"]["evaluation_samples"], EVALUATED)

    def test_what_cannot_be_is_refused(self):
        with self.assertRaisesRegex(UserError, "--quality: there is no data set; add --data PATH"):
            training.train("resnet50", "--quality")
        with self.assertRaisesRegex(UserError, "--epochs is for --quality"):
            training.train("resnet50", "--epochs", 2)
        with self.assertRaisesRegex(UserError, "--loss-scale is for amp-fp16 and fp16, not for fp32"):
            self.train("--loss-scale", 8)
        with self.assertRaisesRegex(UserError, "no place for checkpoints; add --checkpoint FOLDER"):
            self.train("--checkpoint-every", 1)
        with self.assertRaisesRegex(UserError, "'nan' is not a number of epochs"):
            self.train("--epochs", "nan")
        refused = "transformer (is trained on synthetic data only|cannot be trained)|sentence-pairs are needed"
        with self.assertRaisesRegex((Unsupported, UserError), refused):
            training.train("transformer", "--quality", "--data", self.data)


@needs_cpp_trainer
class CppTests:
    """Of a QualityCase: the C++ trainer has the same recipe, data, augmentation and metric, so it has the same curve, until
    rounding makes a difference."""

    def expect_the_curve_of_cpp(self, precision, steps, delta):
        words = ("--precision", precision, "--epochs", 2, "--evaluate-every", 0.5)
        own = self.train(*words)
        cpp = support.Program([CPP_TRAINER], "--workload", "resnet50", "--size", "tiny", *self.words(*words))
        self.assertEqual(cpp.finish(), 0, cpp.err)
        self.assertEqual(own[0]["quality"], cpp.of("start")[0]["quality"])
        losses = zip(training.losses_of(own)[:steps], training.losses_of(cpp.events))
        for step, (one, other) in enumerate(losses):
            self.assertAlmostEqual(one, other, delta=delta * other, msg=f"step {step}")
        return of(own, "evaluation"), cpp.of("evaluation")


class ResumingTests:
    """Of a QualityCase: a training that was killed goes on as if nothing had happened."""

    def checkpointed(self, *more):
        return ("--epochs", 3, "--evaluate-every", 0.5, "--checkpoint", self.folder / "kept", *more)

    def expect_same_curve(self, *more):
        whole = self.train(*self.checkpointed("--checkpoint", self.folder / "whole", *more))
        program = self.start(*self.checkpointed(*more))
        program.wait_for("checkpoint")
        program.wait_for("checkpoint")
        program.process.kill()  # SIGKILL, wherever it is by now
        program.finish()
        resumed = self.train(*self.checkpointed(*more))
        facts = resumed[0]["quality"]["resumed"]
        before = facts["step"]
        self.assertIn(before, (6, 9, 12))
        self.assertEqual(facts["samples"], before * BATCH)
        self.assertEqual([step["step"] for step in of(resumed, "step")], list(range(18 - before)))
        self.assertEqual(training.losses_of(resumed), training.losses_of(whole)[before:])
        after = [(one["step"], one["quality"], one["loss"]) for one in of(resumed, "evaluation")]
        earlier = [(one["step"], one["quality"], one["loss"]) for one in facts["evaluations"]]
        self.assertEqual(earlier + after, [(one["step"], one["quality"], one["loss"]) for one in of(whole, "evaluation")])
        self.assertLess(facts["evaluations"][0]["at"], facts["evaluations"][1]["at"])
        self.assertLessEqual(facts["evaluations"][-1]["at"], facts["seconds"])

    def test_a_killed_training_goes_on_as_if_nothing_had_happened(self):
        self.expect_same_curve()

    def test_a_finished_training_has_nothing_left_to_do(self):
        self.train(*self.checkpointed("--steps", 18))
        events = self.train(*self.checkpointed())
        self.assertEqual([event["event"] for event in events], ["start", "memory", "end"])
        self.assertEqual(events[0]["quality"]["resumed"]["step"], 18)

    def test_another_trainings_checkpoint_is_refused(self):
        self.train(*self.checkpointed("--steps", 1))
        for words, what in (
            (("--seed", 2), "its seed is 1, and ours is 2"),
            (("--accumulate", 2), "its accumulate is 1, and ours is 2"),
            (("--learning-rate", 3), "its recipe is"),
            (("--epochs", 4), "its epochs is 3.0, and ours is 4.0"),
        ):
            with self.assertRaisesRegex(UserError, f"is of another training: {what}"):
                self.train(*self.checkpointed(*words))

    def test_what_is_no_checkpoint_is_named(self):
        (self.folder / "kept").mkdir()
        file = self.folder / "kept" / "checkpoint.safetensors"
        for content in (b"", b"not a checkpoint", b"\xff" * 100):
            file.write_bytes(content)
            with self.assertRaisesRegex(UserError, "checkpoint.safetensors cannot be read: .*; remove it to start over"):
                self.train(*self.checkpointed())

    def test_a_half_written_checkpoint_is_not_seen(self):
        self.train(*self.checkpointed("--steps", 3))
        (self.folder / "kept" / "checkpoint.safetensors.77.tmp").write_bytes(b"half")
        self.assertEqual(self.train(*self.checkpointed())[0]["quality"]["resumed"]["step"], 3)

    def test_tensors_of_another_shape_are_named(self):
        from safetensors import safe_open
        from safetensors.numpy import save_file

        self.train(*self.checkpointed("--steps", 1))
        file = self.folder / "kept" / "checkpoint.safetensors"
        with safe_open(file, "numpy") as opened:
            metadata, tensors = opened.metadata(), {name: opened.get_tensor(name) for name in opened.keys()}
        name = next(name for name in tensors if name.startswith("model.") and tensors[name].ndim == 4)
        for change, message in (
            ({name: tensors[name][:1]}, f"'{name}' has the shape"),
            ({"model.extra": tensors[name]}, "this training has no 'model.extra'"),
        ):
            save_file({**tensors, **change}, file, metadata)
            with self.assertRaisesRegex(UserError, message):
                self.train(*self.checkpointed())
        del tensors[name]
        save_file(tensors, file, metadata)
        with self.assertRaisesRegex(UserError, f"'{name}' is missing in it"):
            self.train(*self.checkpointed())


class RanksTests:
    """Of a QualityCase: several ranks train and evaluate together."""

    def run_ranks(self, folder, *more):
        words = self.words("--epochs", 3, "--evaluate-every", 1, "--checkpoint", self.folder / folder, *more)
        job = start_ranks(support.program(self.framework), 2, "--workload", "resnet50", *words)
        for program in job:
            self.assertEqual(program.finish(), 0, program.err)
        one, other = (program.events for program in job)
        self.assertEqual(self.curve(one), self.curve(other), "all ranks say the same")
        self.assertEqual(training.losses_of(one), training.losses_of(other))
        return one

    def curve(self, events):
        return [(one["step"], one["samples"], one["quality"], one["loss"]) for one in of(events, "evaluation")]

    def test_ranks_evaluate_together_and_go_on_together(self):
        whole = self.run_ranks("whole")
        self.assertEqual([step for step, *_ in self.curve(whole)], [3, 6, 9])
        self.assertEqual([samples for _, samples, *_ in self.curve(whole)], [96, 192, 288])
        self.assertEqual({quality * EVALUATED % 1 for _, _, quality, _ in self.curve(whole)}, {0.0})
        self.run_ranks("kept", "--steps", 3)
        resumed = self.run_ranks("kept")
        self.assertEqual(resumed[0]["quality"]["resumed"]["step"], 3)
        self.assertEqual(training.losses_of(resumed), training.losses_of(whole)[3:])
        self.assertEqual(self.curve(resumed), self.curve(whole)[1:])
