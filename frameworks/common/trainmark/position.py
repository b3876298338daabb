"""Where this process stands in its job: one process is one rank."""

import fcntl
import os
import socket
import struct
from dataclasses import dataclass

from . import declared
from .failure import UserError

_MOST = 2**31 - 1
_SIOCGIFADDR = 0x8915  # <linux/sockios.h>: the address of an interface


@dataclass(frozen=True)
class RankPosition:
    rank: int = 0
    ranks: int = 1
    local_rank: int = 0  # among those of this machine
    master_address: str = ""
    master_port: int = 29500  # the one that frameworks use by custom

    @property
    def alone(self):
        return self.ranks == 1

    def own_path(self, path):
        """Of several ranks the first one writes; a path with `{rank}` in it is one for each."""
        if not path or "{rank}" in path:
            return path and path.replace("{rank}", str(self.rank))
        return path if self.rank == 0 else None


def find_position():
    """From the variables of the first launcher whose rank is set. Without any, it is alone."""
    for variables in declared.rank_variables():
        if variables["rank"] in os.environ:
            return _position_in(variables)
    if _number("WORLD_SIZE", 1, 1, _MOST) != 1:
        raise UserError("WORLD_SIZE is set and RANK is not; set both or none")
    return RankPosition()


def own_address(position):
    """The address of this machine from which the master's is reached: machines have several."""
    found = socket.getaddrinfo(position.master_address, position.master_port, type=socket.SOCK_DGRAM)
    family, kind, protocol, _name, address = found[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.connect(address)  # nothing is sent: the kernel only chooses the way
        return probe.getsockname()[0]


def own_interface(position):
    """The interface that has that address; None where none is found."""
    wanted = own_address(position)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, request)
            except OSError:
                continue  # it has no address
            if socket.inet_ntoa(answer[20:24]) == wanted:
                return name
    return None


def _position_in(variables):
    count = _number(variables["ranks"], 1, 1, _MOST)
    position = RankPosition(
        rank=_number(variables["rank"], 0, 0, count - 1),
        ranks=count,
        local_rank=_number(variables["local_rank"], 0, 0, count - 1),
        master_address=os.environ.get("MASTER_ADDR", ""),
        master_port=_number("MASTER_PORT", RankPosition.master_port, 1, 65535),
    )
    if not position.alone and not position.master_address:
        raise UserError(
            f"there are {count} ranks and MASTER_ADDR is not set; it must be the address of rank 0, the same for all"
        )
    return position


def _number(name, otherwise, least, most):
    text = os.environ.get(name)
    if text is None:
        return otherwise
    if not text.isdecimal() or not least <= int(text) <= most:
        raise UserError(f"{name} is '{text}': it must be a number from {least} to {most}")
    return int(text)
