import unittest

import support
from programs import ProgramTest


@support.needs("mxnet")
class Program(ProgramTest, unittest.TestCase):
    framework = "mxnet"
    package, distribution = "mxnet", "mxnet"
    heavy = {"mxnet", "numpy"}
    workloads = 2
