"""The optimizers of docs/workloads.md: PyTorch's own, each one kernel for all parameters."""

import torch

from trainmark.workloads import Adam, AdamW, Sgd


class Optimizer:
    """The optimizer of some of a model's parameters. It trains the master copies of those that have one."""

    def __init__(self, settings, parameters, masters, scaler, job, decays=None):
        """`decays(dimensions)`: are parameters of so many subject to weight decay? None: all are."""
        self._parameters = parameters
        self._scaler = scaler
        self._job = job
        self._rounded = [parameter for parameter in parameters if parameter in masters]
        self._masters = [masters[parameter] for parameter in self._rounded]
        for master in self._masters:
            master.grad = torch.zeros_like(master)
        self.trained = [masters.get(parameter, parameter) for parameter in parameters]
        self._optimizer = _make(settings, self.trained)
        if decays and any("weight_decay" in group for group in self._optimizer.param_groups):
            _exempt(self._optimizer, decays)

    @torch.no_grad()
    def step(self):
        """Where the gradients have overflowed, the scaler leaves the step out, on the device and unseen here."""
        if self._masters:
            gradients = [master.grad for master in self._masters]
            torch._foreach_copy_(gradients, [parameter.grad for parameter in self._rounded])
        self._job.agree_on_overflow(self._scaler, self._optimizer)
        self._scaler.step(self._optimizer)
        if self._masters:
            torch._foreach_copy_(self._rounded, self._masters)

    def set_learning_rate(self, rate):
        for group in self._optimizer.param_groups:
            group["lr"] = rate

    def state_of(self, trained):
        """The tensors that the optimizer keeps of one of `self.trained`, by their names; to be changed in place."""
        return self._optimizer.state[trained]

    def forget_gradients(self):
        for parameter in self._parameters:
            parameter.grad = None


def _exempt(optimizer, decays):
    """From weight decay: in a group of their own."""
    (group,) = optimizer.param_groups
    parameters = group["params"]
    group["params"] = [parameter for parameter in parameters if decays(parameter.dim())]
    exempt = [parameter for parameter in parameters if not decays(parameter.dim())]
    if exempt:
        optimizer.add_param_group({**group, "params": exempt, "weight_decay": 0.0})


def _make(settings, parameters):
    if isinstance(settings, Sgd):
        optimizer = torch.optim.SGD(
            parameters,
            lr=settings.learning_rate,
            momentum=settings.momentum,
            weight_decay=settings.weight_decay,
            fused=True,
        )
        # To begin with a momentum of 0 is to let the first step set it. PyTorch would begin with unset memory and
        # keep it, if the scaler leaves the first step out.
        for parameter in parameters:
            optimizer.state[parameter]["momentum_buffer"] = torch.zeros_like(parameter)
        return optimizer
    betas = (settings.beta1, settings.beta2)
    common = {"lr": settings.learning_rate, "betas": betas, "eps": settings.epsilon, "fused": True}
    if isinstance(settings, AdamW):
        return torch.optim.AdamW(parameters, weight_decay=settings.weight_decay, **common)
    assert isinstance(settings, Adam)
    return torch.optim.Adam(parameters, **common)
