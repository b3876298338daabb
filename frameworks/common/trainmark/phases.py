"""The parts of a step that have an optimizer of their own."""


class Phase:
    """One optimizer's part of a step. Most workloads have one; adversarial ones have one a player, in turn."""

    def __init__(self, loss, parameters):
        self.parameters = list(parameters)
        self.loss = loss

    def __call__(self, batch):
        """The loss, and the batch for the phase behind this one: a loss may come with further tensors for it."""
        output = self.loss(**batch)
        if isinstance(output, tuple):
            loss, made = output
            return loss, {**batch, **made}
        return output, batch

    def wrap(self, function):
        self.loss = function(self.loss)


def phases_of(model):
    return model.phases() if hasattr(model, "phases") else [Phase(model, model.parameters())]
