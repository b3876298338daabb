"""fp16 and its loss scaling, as far as a CPU can show them."""

import math
import unittest

import support

support.use_framework("pytorch")


@support.needs("torch")
class MasterWeights(unittest.TestCase):
    def setUp(self):
        import torch
        from torch import nn

        from job import Alone
        from optimizer import Optimizer
        from precision import Precision
        from trainmark.workloads import Sgd

        self.torch = torch
        torch.manual_seed(1)
        self.model = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(16, 2))
        self.before = [parameter.detach().clone() for parameter in self.model.parameters()]
        self.precision = Precision("fp16", "cpu", 65536)
        self.masters = self.precision.convert_model(self.model)
        settings = Sgd(learning_rate=1e-5, momentum=0.9, weight_decay=0)
        self.parameters = list(self.model.parameters())
        self.optimizer = Optimizer(settings, self.parameters, self.masters, self.precision.scaler, Alone())

    def step(self, gradient):
        scale = self.precision.scaler.scale(self.torch.ones(1)).item()
        for parameter in self.parameters:
            parameter.grad = self.torch.full_like(parameter, gradient * scale)
        self.optimizer.step()
        self.optimizer.forget_gradients()
        self.precision.scaler.update()

    def test_norms_stay_fp32(self):
        types = {parameter.dtype for parameter in self.model[1].parameters()}
        self.assertEqual(types, {self.torch.float32})
        self.assertEqual(self.model[1].running_mean.dtype, self.torch.float32)
        self.assertEqual({self.model[0].weight.dtype, self.model[3].bias.dtype}, {self.torch.float16})
        self.assertEqual(len(self.masters), 4)

    def test_small_steps_are_not_lost(self):
        # Of weights of about 0.25, fp16 knows steps of 1e-4 only.
        for _ in range(2):
            self.step(0.5)
        expected = (1 + 1.9) * 1e-5 * 0.5  # momentum: the second step is 1.9 times the first
        for parameter, before in zip(self.parameters, self.before):
            trained = self.masters.get(parameter, parameter)
            self.torch.testing.assert_close(before - trained, self.torch.full_like(before, expected), rtol=0.02, atol=0)
            self.torch.testing.assert_close(parameter, trained.to(parameter.dtype), rtol=0, atol=0)

    def test_what_is_saved_is_not_rounded(self):
        from tensors import ContractTensors, own_names

        self.step(0.5)
        saved = ContractTensors(self.model, own_names(self.model)).values(self.masters)
        for name, parameter in self.model.named_parameters():
            array = saved[name]
            self.assertEqual(array.dtype.name, "float32")
            trained = self.masters.get(parameter, parameter)
            self.assertTrue((array == trained.detach().numpy()).all())
            if parameter in self.masters:
                self.assertFalse((array == parameter.detach().float().numpy()).all())

    def test_a_step_that_overflowed_is_left_out_and_halves_the_scale(self):
        self.assertEqual(self.precision.scaler.get_scale(), 65536)
        self.step(math.inf)
        self.assertEqual(self.precision.scaler.get_scale(), 32768)
        self.test_small_steps_are_not_lost()  # as if nothing had been before

    def test_batches_are_rounded_but_not_their_labels(self):
        torch = self.torch
        batch = self.precision.convert_batch({"images": torch.ones(1), "labels": torch.ones(1, dtype=torch.int64)})
        self.assertEqual((batch["images"].dtype, batch["labels"].dtype), (torch.float16, torch.int64))


@support.needs("torch")
class Scales(unittest.TestCase):
    def test_begin_where_the_workload_says(self):
        from precision import Precision

        adapting = Precision("amp-fp16", "cpu", 8192).scaler
        self.assertEqual(adapting.get_scale(), 8192)
        fixed = Precision("amp-fp16", "cpu", 8192, fixed_scale=4).scaler
        self.assertEqual(fixed.get_scale(), 4)
