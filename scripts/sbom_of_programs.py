"""The bill of materials of Trainmark's own programs: python scripts/sbom_of_programs.py OUT. They are built from packages of
the distribution (scripts/setup lists them), and these from the libraries that each package brings along."""

import subprocess
import sys
from pathlib import Path

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

HOME = Path(__file__).resolve().parent.parent

# What ends up in the programs and in the page they write, and what compiles it.
LINKED = """libcli11-dev libfmt-dev nlohmann-json3-dev libyaml-cpp-dev zlib1g-dev libsimdjson-dev libre2-dev libjs-chart.js
libjpeg62-turbo-dev libpng-dev libboost-dev libarchive-dev libzstd-dev liblzma-dev libgloo-dev libstdc++6 libc6""".split()
TOOLS = "g++ cmake ninja-build esbuild".split()


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, cwd=HOME).stdout


def installed(package):
    """Version, architecture and what it depends on in exactly its own version: the library behind a package of headers."""
    fields = output_of("dpkg-query", "--show", "--showformat=${Version}\t${Architecture}\t${Depends}", package)
    version, architecture, depends = fields.split("\t")
    own = [part.split()[0] for part in depends.split(",") if f"(= {version})" in part]
    return version, architecture, own


def distribution():
    lines = Path("/etc/os-release").read_text().splitlines()
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    return fields["ID"].strip('"'), fields.get("VERSION_ID", "").strip('"')


def component(package, kind=ComponentType.LIBRARY):
    version, architecture, _ = installed(package)
    name, release = distribution()
    place = {"arch": architecture, "distro": f"{name}-{release}"}
    purl = PackageURL("deb", name, package, version, place)
    return Component(name=package, version=version, type=kind, purl=purl, bom_ref=str(purl))


def main(out):
    listed = (HOME / "scripts" / "setup").read_text()
    missing = [name for name in LINKED + TOOLS if name not in listed and not name.startswith("libc6") and name != "libstdc++6"]
    if missing:
        sys.exit(f"sbom: scripts/setup no longer installs {' '.join(missing)}; correct the lists in {Path(__file__).name}")
    version = output_of("git", "describe", "--always", "--dirty").strip()
    bom = Bom()
    program = Component(name="trainmark", version=version, type=ComponentType.APPLICATION, bom_ref="trainmark")
    bom.metadata.component = program
    libraries = sorted({name for package in LINKED for name in [package, *installed(package)[2]]})
    parts = [component(name) for name in libraries]
    parts += [component(name, ComponentType.APPLICATION) for name in TOOLS]
    for part in parts:
        bom.components.add(part)
    bom.register_dependency(program, parts)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error:
        sys.exit(f"sbom: {out} does not follow the schema: {error}")
    Path(out).write_text(text + "\n")
    print(f"{out}: {len(parts)} components")


if __name__ == "__main__":
    main(*sys.argv[1:])
