import unittest

import support
from training import make_trainer, mean

support.use_framework("jax")


@support.needs("jax")
class Training(unittest.TestCase):
    def setUp(self):
        import training

        self.train = training.train
        self.losses = lambda *words: training.losses_of(training.train(*words))

    def test_tells_what_it_trains_and_how(self):
        events = self.train("transformer", "--steps", 2, "--accumulate", 2)
        start = events[0]
        self.assertEqual((start["framework"], start["mode"]), ("jax", "jit"))
        self.assertEqual((start["batch"], start["accumulate"]), (32, 2))
        self.assertEqual(start["parameters"], 62592)
        self.assertEqual([event["items"] for event in events if event["event"] == "step"], [64, 64])
        self.assertEqual(events[-1], {"event": "end", "steps": 2, "why": "steps"})

    def test_losses_fall_with_dropout_and_in_bf16(self):
        for words in (["--dropout", 0.1], ["--dropout", 0.1, "--precision", "amp-bf16"]):
            losses = self.losses("bert", "--steps", 40, *words)
            self.assertLess(mean(losses[-5:]), mean(losses[:5]), losses)

    def test_dropout_is_another_in_every_step_and_the_same_in_every_run(self):
        words = ("transformer", "--steps", 3)
        one = self.losses(*words)
        self.assertEqual(one, self.losses(*words))
        self.assertNotEqual(one, self.losses(*words, "--dropout", 0))

    def test_accumulated_passes_are_one_larger_batch(self):
        words = ("transformer", "--dropout", 0, "--steps", 3)
        parts = self.losses(*words, "--batch", 32, "--accumulate", 2)
        for one, other in zip(parts, self.losses(*words, "--batch", 64)):
            self.assertAlmostEqual(one, other, delta=1e-4 * one)


@support.needs("jax")
class Memory(unittest.TestCase):
    def test_of_a_gpu_is_taken_as_it_is_needed(self):
        import os

        variable = "XLA_PYTHON_CLIENT_PREALLOCATE"
        os.environ.pop(variable, None)
        make_trainer("transformer")
        self.assertEqual(os.environ.pop(variable), "false")
        os.environ[variable] = "true"  # who wants it otherwise says so
        make_trainer("transformer")
        self.assertEqual(os.environ.pop(variable), "true")


@support.needs("jax")
class Flops(unittest.TestCase):
    def test_are_those_of_convolutions_and_products(self):
        import jax
        import jax.numpy as jnp

        from flops import forward_flops

        def forward(x, kernel, matrix):
            y = jax.lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            return jax.jit(lambda rows: jnp.tanh(rows @ matrix))(y.reshape(-1, 5)).sum()

        shapes = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in ((2, 8, 8, 3), (3, 3, 3, 5), (5, 7))]
        pixels = 2 * 4 * 4
        self.assertEqual(forward_flops(forward, *shapes), 2 * pixels * 5 * 27 + 2 * pixels * 5 * 7)

    def test_are_those_of_the_cpp_trainer(self):
        # At tiny, as trainmark-train tells them.
        for workload, flops in (("resnet50", 37616640), ("bert", 2663808), ("transformer", 381696)):
            self.assertAlmostEqual(make_trainer(workload).flops_per_item(), flops, delta=0.01 * flops)


@support.needs("jax")
class Scaling(unittest.TestCase):
    """Of the loss, with a model of one weight: its loss is weight × input, its gradient the input."""

    def setUp(self):
        import jax
        import jax.numpy as jnp
        import optax
        from flax import linen as nn

        from precision import first_scale
        from steps import State, Steps

        class Line(nn.Module):
            @nn.compact
            def __call__(self, x):
                return self.param("weight", nn.initializers.zeros, ()) * x

        self.numbers = jnp
        optimizer = optax.sgd(0.5, 0.9)
        params = {"weight": jnp.float32(1)}
        key = jax.random.key(0)
        self.state = State(params, {}, optimizer.init(params), first_scale("amp-fp16", 65536), key)
        self.step = lambda state, x: Steps(Line(), optimizer, 1).step(state, {"x": jnp.float32(x)})

    def test_an_overflow_is_left_out_and_halves_the_scale(self):
        state, _ = self.step(self.state, float("inf"))
        self.assertEqual(float(state.params["weight"]), 1)
        self.assertEqual(float(state.scale.value), 32768)
        state, loss = self.step(state, 3.0)
        self.assertEqual(float(loss), 3)  # not the scaled one
        self.assertEqual(float(state.params["weight"]), 1 - 0.5 * 3)  # the first step that counts has no momentum yet

    def test_the_scale_doubles_after_2000_good_steps(self):
        scale = self.state.scale._replace(good=self.numbers.int32(1998))
        state, _ = self.step(self.state._replace(scale=scale), 1.0)
        self.assertEqual((float(state.scale.value), int(state.scale.good)), (65536, 1999))
        state, _ = self.step(state, 1.0)
        self.assertEqual((float(state.scale.value), int(state.scale.good)), (131072, 0))


@support.needs("jax")
class OutOfMemory(unittest.TestCase):
    def test_is_told_as_such(self):
        import jax

        from trainer import Trainer

        errors, kind = Trainer.memory_errors, jax.errors.JaxRuntimeError
        self.assertTrue(errors.include(kind("RESOURCE_EXHAUSTED: Out of memory allocating 99 bytes.")))
        self.assertFalse(errors.include(kind("INVALID_ARGUMENT: shapes")))
