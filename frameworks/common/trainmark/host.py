"""What the machine says about itself."""

import ctypes
import os
import resource


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return "unknown CPU"


def own_cores():
    """Of this rank: those that it is bound to, or its share of the machine's."""
    cores = len(os.sched_getaffinity(0))
    ranks = os.environ.get("LOCAL_WORLD_SIZE", "1")
    if cores >= os.cpu_count() and ranks.isdecimal():
        cores //= max(1, int(ranks))
    return max(1, cores)


def peak_host_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # Linux counts it in KiB


def why_cuda_is_missing():
    """Why no CUDA program can run here; empty where one can. The driver is asked, but no GPU is touched."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "libcuda.so.1 was not found: there is no NVIDIA driver"
    return ""
