"""All that the next steps of a training depend on, as tensors by name."""

import torch

from trainmark.failure import UserError

_RANDOM = {"random.cpu": (torch.get_rng_state, torch.set_rng_state)}
_RANDOM_CUDA = {"random.cuda": (torch.cuda.get_rng_state, torch.cuda.set_rng_state)}


class State:
    """Weights and running values have the names of the model's modules. An optimizer's tensors stand behind the name of
    the parameter that they belong to."""

    def __init__(self, model, optimizers, masters, scaler, cuda):
        self._model = model
        self._optimizers = optimizers
        self._masters = masters  # of parameters that are rounded
        self._scaler = scaler
        self._random = {**_RANDOM, **(_RANDOM_CUDA if cuda else {})}

    def arrays(self):
        tensors = {f"model.{name}": tensor for name, tensor in self._model.state_dict().items()}
        for name, parameter, trained, optimizer in self._trained():
            if trained is not parameter:
                tensors[f"master.{name}"] = trained
            for key, value in optimizer.state_of(trained).items():
                tensors[f"optimizer.{name}.{key}"] = value
        for name, (read, _) in self._random.items():
            tensors[name] = read()
        for name, value in self._scale().items():
            tensors[f"scale.{name}"] = torch.tensor(value, dtype=torch.float64)
        return {name: tensor.detach().cpu().contiguous().numpy() for name, tensor in tensors.items()}

    def own_arrays(self, shards):
        """What of them only this rank has: its chances, its running values, and its rows of what is divided."""
        running = {f"model.{name}" for name, _ in self._model.named_buffers()}
        beginnings = tuple(f"{kind}.{name}" for kind in ("model", "optimizer", "master") for name in shards)
        return {
            name: array
            for name, array in self.arrays().items()
            if name in running or name in self._random or (beginnings and name.startswith(beginnings))
        }

    @torch.no_grad()
    def restore(self, arrays):
        arrays = dict(arrays)
        for name, tensor in self._model.state_dict().items():
            _copy(tensor, arrays, f"model.{name}")
        for name, parameter, trained, optimizer in self._trained():
            if trained is not parameter:
                _copy(trained, arrays, f"master.{name}")
            self._restore_optimizer(f"optimizer.{name}.", trained, optimizer.state_of(trained), arrays)
        for name, (_, write) in self._random.items():
            write(torch.from_numpy(_take(arrays, name)))
        scale = {name: _take(arrays, f"scale.{name}").item() for name in self._scale()}
        if scale:
            scale["_growth_tracker"] = int(scale["_growth_tracker"])
            self._scaler.load_state_dict({**self._scaler.state_dict(), **scale})
        if arrays:
            raise UserError(f"--checkpoint: this training has no '{next(iter(arrays))}'; write another folder")

    @staticmethod
    def _restore_optimizer(prefix, trained, state, arrays):
        """Some are made with the first step only; they are laid out in memory as the parameter is."""
        for name in [name for name in arrays if name.startswith(prefix)]:
            values = torch.from_numpy(arrays.pop(name))
            like = trained if values.shape == trained.shape else values
            state[name.removeprefix(prefix)] = torch.empty_like(like, device=trained.device).copy_(values)

    def _trained(self):
        """(name, parameter, what is trained in its place, its optimizer)"""
        optimizers = {trained: optimizer for optimizer in self._optimizers for trained in optimizer.trained}
        for name, parameter in self._model.named_parameters():
            trained = self._masters.get(parameter, parameter)
            yield name, parameter, trained, optimizers[trained]

    def _scale(self):
        state = self._scaler.state_dict()  # empty where losses are not scaled
        return {name: state[name] for name in ("scale", "_growth_tracker") if name in state}


def _take(arrays, name):
    if name not in arrays:
        raise UserError(f"--checkpoint: '{name}' is missing in it; write another folder")
    return arrays.pop(name)


def _copy(tensor, arrays, name):
    array = _take(arrays, name)
    if array.shape != tuple(tensor.shape):
        raise UserError(f"--checkpoint: '{name}' has the shape {list(array.shape)} in it, the model's {list(tensor.shape)}")
    tensor.copy_(torch.from_numpy(array))
