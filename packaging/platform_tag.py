"""The platform that a wheel is for, as its tag says it: python platform_tag.py WHEEL. That is the newest version of the C
library that one of its programs asks for."""

import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path


def versions_needed(program):
    symbols = subprocess.run(["objdump", "--dynamic-syms", program], capture_output=True, text=True, check=True).stdout
    return {tuple(map(int, found.split("."))) for found in re.findall(r"\bGLIBC_([0-9.]+)", symbols)}


def programs_in(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            with archive.open(name) as file:
                if file.read(4) == b"\x7fELF":
                    yield archive.extract(name, folder)


def main(wheel):
    with tempfile.TemporaryDirectory() as folder:
        needed = set().union(*(versions_needed(program) for program in programs_in(wheel, Path(folder))))
    if not needed:
        sys.exit(f"{wheel} holds no program")
    major, minor = max(needed)[:2]
    print(f"manylinux_{major}_{minor}_{platform.machine()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
