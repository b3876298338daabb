"""What a program can train: the answer to `--describe` and `--list`."""

from importlib import metadata

from .quality.options import quality_of
from .workloads import find_workload


def version_of(package):
    """The version of an installed package, found without importing it; None where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def describe(
    framework, versions, devices, modes, precisions, workloads, mode_devices=None, several_ranks=False, pipelines=None, quality=()
):
    """The description of a framework that trains its workloads in the same modes and precisions.

    `devices`: name to the reason why it cannot be used here, empty where it can. `mode_devices`: the devices of the
    modes that not all devices have. `several_ranks`: can several processes train it together? `pipelines`: name to the
    formats that it reads of each kind of data set; the first is the framework's own. `quality`: the workloads whose
    models it can evaluate.
    """
    entries = []
    for name in workloads:
        workload = find_workload(name)
        sizes = [
            {"name": size, "batch": numbers.batch, "shapes": workload.shapes_of(size)}
            for size, numbers in workload.sizes.items()
        ]
        entry = {"name": name, "title": workload.title, "unit": workload.unit, "modes": modes}
        if mode_devices:
            entry["mode_devices"] = mode_devices
        if several_ranks:
            entry["several_ranks"] = True
        if workload.dropout:
            entry["dropout"] = workload.dropout
        entry.update(_data_of(workload, pipelines or {}))
        if name in quality and workload.training and "data" in entry:
            entry["quality"] = quality_of(workload)
        entries.append({**entry, "sizes": sizes, "precisions": precisions})
    return {
        "protocol": 1,
        "framework": framework,
        "versions": versions,
        "devices": [
            {"name": name, "missing": missing} if missing else {"name": name} for name, missing in devices.items()
        ],
        "workloads": entries,
    }


def _data_of(workload, pipelines):
    readers = {name: kinds[workload.data] for name, kinds in pipelines.items() if workload.data in kinds}
    formats = list(dict.fromkeys(name for formats in readers.values() for name in formats))
    return {"data": formats, "pipelines": readers} if readers else {}


def _quality_text(quality):
    border = "at least" if quality["better"] == "higher" else "at most"
    return f"to a quality: {quality['metric']} of {border} {quality['target']:g}, in {quality['epochs']:g} epochs"


def to_text(description):
    lines = []
    for workload in description["workloads"]:
        lines.append(f"{workload['name']:14} {workload['title']}, in {workload['unit']}")
        lines.append(f"{'':14}   modes: {', '.join(workload['modes'])}")
        for size in workload["sizes"]:
            lines.append(f"{'':14}   size {size['name']}: batch {size['batch']}")
        for name, formats in workload.get("pipelines", {}).items():
            lines.append(f"{'':14}   data sets, by {name}: {', '.join(formats)}")
        if "quality" in workload:
            lines.append(f"{'':14}   {_quality_text(workload['quality'])}")
        for device, precisions in workload["precisions"].items():
            lines.append(f"{'':14}   on {device}: {', '.join(precisions)}")
    for device in description["devices"]:
        if "missing" in device:
            lines.append(f"{device['name']} cannot be used here: {device['missing']}")
    return "\n".join(lines)
