import unittest

import support
from programs import ProgramTest


@support.needs("jax")
class Program(ProgramTest, unittest.TestCase):
    framework = "jax"
    package, distribution = "jax", "jax"
    heavy = {"jax", "jaxlib", "flax", "numpy"}
    workloads = 3
    tiny = ["--workload", "transformer", "--size", "tiny"]
